// node ask.mjs RUNTIME REQUEST: starts the worker from the parts in RUNTIME, prints one answer.

const { argv, stdout, exit } = process;
const { startWorker } = await import("./worker.mjs");
const { ask } = await startWorker(argv[2]);
stdout.write(ask(argv[3]), () => exit(0));

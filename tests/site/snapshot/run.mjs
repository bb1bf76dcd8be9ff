// node run.mjs JOB: runs the engine's tests in the restored snapshot of a built site.
// JOB is JSON: runtime (folder), files (list of [path here, path there]), entry, arguments.

import fs from "node:fs";
import nodePath from "node:path";

const { exit, argv, stdout } = process;
const job = JSON.parse(fs.readFileSync(argv[2], "utf8"));
const { startWorker } = await import("./worker.mjs");
const { python } = await startWorker(job.runtime);

for (const [from, to] of job.files) {
  python.FS.mkdirTree(nodePath.posix.dirname(to));
  python.FS.writeFile(to, fs.readFileSync(from));
}
python.setStdout({ write: (bytes) => (stdout.write(bytes), bytes.length) });
python.setStderr({ write: (bytes) => (stdout.write(bytes), bytes.length) });
const scope = python.runPython("{'__name__': 'snapshot_tests'}");
python.runPython(fs.readFileSync(job.entry, "utf8"), { globals: scope });
let status = 1;
try {
  status = scope.get("main")("/project", python.toPy(job.arguments));
} catch (error) {
  // Node would print the failing source line, which is all of the glue.
  stdout.write(error.stack);
}
stdout.write("", () => exit(status));

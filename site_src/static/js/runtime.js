// Python for the page: starts the worker, gives it the parts, carries questions and answers.
//
// Touches nothing of the page; boot.js fetches the parts.

var VramRuntime = (() => {
  "use strict";

  /**
   * `part`: one is missing or damaged; `wasm`: this browser can't run the runtime; `worker`: no
   * worker can be started; `timeout`: everything is there and nothing happens; `crash`: Python
   * failed, and the console says how.
   *
   * @typedef {"wasm" | "worker" | "part" | "timeout" | "crash"} FailureCode
   *
   * @typedef {object} Handlers
   * @property {(loadedBytes: number, totalBytes: number) => void} onProgress
   * @property {() => void} onReady
   * @property {(code: FailureCode) => void} onFail
   * @property {number} silenceSeconds how long the worker, once it has all parts, may say nothing
   *
   * @typedef {{request: string, onReply: (reply: string) => void}} Question
   */

  /**
   * `held`: waiting for the first question, to save data.
   *
   * @type {"held" | "loading" | "ready" | "failed"}
   */
  let state = vramBoot.held ? "held" : "loading";
  /** @type {FailureCode | undefined} */
  let failure;
  /** @type {Handlers} */
  let handlers = { onProgress() {}, onReady() {}, onFail() {}, silenceSeconds: 30 };

  /** @type {Worker | undefined} */
  let worker;
  /** Names of the parts that the worker was given. @type {Set<string>} */
  const delivered = new Set();
  let starting = false;
  /** Whether the worker has said anything yet. */
  let alive = false;
  let silentSeconds = 0;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let clock;

  /** @type {Question | undefined} */
  let asked;
  /** @type {Question | undefined} */
  let waiting;

  /**
   * Hear of what happens; of what has happened already, too, for Python is started as early as can
   * be and not by this call.
   *
   * @param {Partial<Handlers>} given
   */
  function start(given) {
    handlers = { ...handlers, ...given };
    if (state === "loading") {
      report();
    } else if (state === "ready") {
      handlers.onReady();
    } else if (failure) {
      handlers.onFail(failure);
    }
  }

  function load() {
    state = "loading";
    if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") {
      fail("wasm");
      return;
    }
    vramBoot.request();
    advance();
    if (vramBoot.lost()) {
      fail("part");
    }
  }

  /** Start again after a failure, with what is there and fresh copies of what is not. */
  function retry() {
    if (state === "failed") {
      state = "loading";
      failure = undefined;
      vramBoot.again();
      advance();
    }
  }

  /** Report progress, and give the worker what has arrived. */
  function advance() {
    if (state !== "loading") {
      return;
    }
    const { parts } = vramBoot;
    if (!vramBoot.matching()) {
      // Of two deployments: only fresh copies of all can mend that.
      stopWorker();
      parts.clear();
      fail("part");
      return;
    }
    const here = report();
    if (!worker) {
      startWorker();
      return;
    }
    for (const { name } of here) {
      if (name !== vramBoot.GLUE && !delivered.has(name)) {
        const [chunk, text] = parts.get(name) ?? [];
        worker.postMessage({ chunk, text });
        delivered.add(name);
      }
    }
    if (here.length === vramBoot.wanted().length) {
      watch();
    }
  }

  /** Tell how much has arrived. @returns what has */
  function report() {
    const all = vramBoot.wanted();
    const here = all.filter(({ name }) => vramBoot.parts.has(name));
    const [loaded, total] = [here, all].map((some) => some.reduce((n, { bytes }) => n + bytes, 0));
    handlers.onProgress(loaded, total);
    return here;
  }

  /** @param {string} name */
  function damaged(name) {
    vramBoot.forget(name);
    delivered.delete(name);
    fail("part");
  }

  async function startWorker() {
    const glue = vramBoot.parts.get(vramBoot.GLUE);
    if (starting || !glue) {
      return;
    }
    starting = true;
    try {
      const source = await vramUnpack(...glue);
      if (state === "loading") {
        makeWorker(URL.createObjectURL(new Blob([source], { type: "text/javascript" })));
      }
    } catch (error) {
      console.error(error);
      damaged(vramBoot.GLUE);
    } finally {
      starting = false;
    }
    advance();
  }

  /** @param {string} url */
  function makeWorker(url) {
    try {
      const made = new Worker(url);
      made.onmessage = ({ data }) => made === worker && heard(data);
      made.onerror = () => made === worker && fail(alive ? "crash" : "worker");
      worker = made;
      alive = false;
    } catch (error) {
      console.error(error);
      fail("worker");
    }
  }

  function stopWorker() {
    stopWatching();
    worker?.terminate();
    worker = undefined;
    delivered.clear();
    waiting ??= asked;
    asked = undefined;
  }

  /**
   * Pyodide can hang without a word, so silence is a failure too; but only of a worker that has
   * everything: a slow connection is none. Ticks, not the time of day, for a computer may sleep.
   */
  function watch() {
    silentSeconds = 0;
    clock ??= setInterval(() => {
      silentSeconds += 1;
      if (silentSeconds > handlers.silenceSeconds) {
        fail(alive ? "timeout" : "worker");
      }
    }, 1000);
  }

  function stopWatching() {
    clearInterval(clock);
    clock = undefined;
  }

  /** @param {any} message from the worker */
  function heard(message) {
    alive = true;
    silentSeconds = 0;
    if (message.damaged) {
      damaged(message.damaged);
    } else if (message.fault) {
      fail(message.fault);
    } else if (message.ready) {
      becomeReady();
    } else if ("reply" in message) {
      const question = asked;
      asked = undefined;
      pump();
      question?.onReply(message.reply);
    }
  }

  function becomeReady() {
    state = "ready";
    stopWatching();
    // The worker has them; after a crash they come from the browser's cache.
    vramBoot.parts.clear();
    performance.mark("python-ready");
    handlers.onReady();
    pump();
  }

  /** @param {FailureCode} code */
  function fail(code) {
    if (state !== "loading" && state !== "ready") {
      return;
    }
    state = "failed";
    failure = code;
    if (code === "part") {
      stopWatching();
    } else {
      stopWorker();
    }
    handlers.onFail(code);
  }

  /**
   * Ask the calculator. One question is in flight and one waits at most, the newest; before Python
   * is up, the newest is kept and answered first.
   *
   * @param {string} request
   * @param {(reply: string) => void} onReply
   */
  function ask(request, onReply) {
    waiting = { request, onReply };
    if (state === "held") {
      load();
    }
    pump();
  }

  function pump() {
    if (state === "ready" && worker && waiting && !asked) {
      asked = waiting;
      waiting = undefined;
      worker.postMessage({ ask: asked.request });
    }
  }

  vramBoot.onarrival = advance;
  vramBoot.onloss = () => state === "loading" && fail("part");
  if (!vramBoot.held) {
    load();
  }
  return { start, ask, retry, state: () => state };
})();

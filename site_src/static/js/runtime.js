// Python for the page: collects the parts, starts the worker, carries questions and answers.
//
// Touches nothing of the page but the script elements of the parts, by way of boot.js.

var VramRuntime = (() => {
  "use strict";

  /**
   * @typedef {object} Chunk what a part says of itself
   * @property {string} kind
   * @property {number} index
   * @property {number} count
   * @property {string} build
   * @property {number} bytes
   * @property {number} length
   *
   * @typedef {[Chunk, string]} Part
   *
   * `part`: one is missing or damaged; `wasm`: this browser can't run the runtime; `worker`: no
   * worker can be started; `timeout`: everything is there and nothing happens; `crash`: Python
   * failed, and the console says how.
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

  const scope = /** @type {{vramParts?: {push: (part: Part) => void}}} */ (
    /** @type {unknown} */ (self)
  );

  /**
   * `held`: waiting for the first question, to save data.
   *
   * @type {"idle" | "held" | "loading" | "ready" | "failed"}
   */
  let state = "idle";
  /** @type {Handlers} */
  let handlers = { onProgress() {}, onReady() {}, onFail() {}, silenceSeconds: 30 };
  let attempt = 0;

  /** Parts by name, kept until Python is up. @type {Map<string, Part>} */
  const parts = new Map();
  /** Names of the parts that the present worker was given. @type {Set<string>} */
  const delivered = new Set();
  /** @type {Worker | undefined} */
  let worker;
  let starting = false;
  let alive = false;
  let silentSeconds = 0;
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let clock;

  /** @type {Question | undefined} */
  let asked;
  /** @type {Question | undefined} */
  let waiting;

  /** @param {Partial<Handlers>} given */
  function start(given) {
    if (state !== "idle") {
      return;
    }
    handlers = { ...handlers, ...given };
    const early = /** @type {Part[] | undefined} */ (/** @type {unknown} */ (scope.vramParts));
    scope.vramParts = { push: accept };
    early?.forEach(accept);
    vramBoot.onsettled = settled;
    if (vramBoot.held) {
      state = "held";
    } else {
      load();
    }
  }

  function load() {
    state = "loading";
    if (typeof WebAssembly !== "object" || typeof DecompressionStream !== "function") {
      fail("wasm");
      return;
    }
    vramBoot.request([...wanted().keys()], attempt);
    vramBoot.settled.forEach((_, name) => settled(name));
    readPayloads();
    advance();
  }

  /**
   * Start again after a failure: what is missing is asked for anew, what is there is used.
   * Does nothing in any other state.
   */
  function retry() {
    if (state !== "failed") {
      return;
    }
    state = "loading";
    attempt += 1;
    const missing = [...wanted().keys()].filter((name) => !parts.has(name) && !delivered.has(name));
    // What is neither here nor settled is still on its way.
    vramBoot.request(
      missing.filter((name) => vramBoot.settled.has(name)),
      attempt,
    );
    readPayloads();
    advance();
  }

  /** The parts that a single-file page holds in itself. @returns {[Chunk, Element][]} */
  function payloads() {
    return Array.from(document.querySelectorAll("script[data-chunk]"), (element) => [
      JSON.parse(element.getAttribute("data-chunk") ?? ""),
      element,
    ]);
  }

  /** One at a time, so that no task of the page gets long. */
  async function readPayloads() {
    for (const [chunk, element] of payloads()) {
      if (!parts.has(nameOf(chunk)) && !delivered.has(nameOf(chunk))) {
        accept([chunk, element.textContent ?? ""]);
        await new Promise((resume) => setTimeout(resume));
      }
    }
  }

  /** Everything that Python needs, by name, with its weight. @returns {Map<string, number>} */
  function wanted() {
    return new Map([
      ...vramBoot.parts.map(({ name, bytes }) => /** @type {const} */ ([name, bytes])),
      ...payloads().map(([chunk]) => /** @type {const} */ ([nameOf(chunk), chunk.bytes])),
    ]);
  }

  /** @param {Chunk} chunk */
  function nameOf(chunk) {
    return `${chunk.kind}-${chunk.index}`;
  }

  /** @param {Part} part */
  function accept(part) {
    const known = parts.values().next().value;
    if (known && known[0].build !== part[0].build) {
      // Parts of two deployments: only a fresh copy of all of them can mend that.
      parts.clear();
      stopWorker();
      fail("part");
      return;
    }
    parts.set(nameOf(part[0]), part);
    advance();
  }

  /**
   * A part's script has run or failed. A truncated one "runs", and hands nothing over.
   *
   * @param {string} name
   */
  function settled(name) {
    if (state === "loading" && !parts.has(name) && !delivered.has(name)) {
      fail("part");
    }
  }

  /** @param {string} name */
  function damaged(name) {
    parts.delete(name);
    delivered.delete(name);
    vramBoot.settled.set(name, "damaged");
    fail("part");
  }

  /** Report progress, and pass on what there is to pass on. */
  function advance() {
    if (state !== "loading") {
      return;
    }
    const all = [...wanted()];
    const sum = (/** @type {[string, number][]} */ some) => some.reduce((n, [, b]) => n + b, 0);
    handlers.onProgress(sum(all.filter(([name]) => parts.has(name))), sum(all));
    if (!worker) {
      startWorker(all.map(([name]) => name).filter((name) => name.startsWith("glue-")));
      return;
    }
    for (const [name, [chunk, text]] of parts) {
      if (chunk.kind !== "glue" && !delivered.has(name)) {
        delivered.add(name);
        worker.postMessage({ chunk, text });
      }
    }
    if (all.every(([name]) => parts.has(name))) {
      watch();
    }
  }

  /** @param {string[]} names the parts that make up the worker's script */
  async function startWorker(names) {
    if (starting || !names.every((name) => parts.has(name))) {
      return;
    }
    starting = true;
    const sources = [];
    for (const name of names) {
      const [chunk, text] = /** @type {Part} */ (parts.get(name));
      try {
        sources.push(await vramUnpack(chunk, text));
      } catch (error) {
        console.error(error);
        starting = false;
        damaged(name);
        return;
      }
    }
    starting = false;
    const url = URL.createObjectURL(new Blob(sources, { type: "text/javascript" }));
    try {
      const made = new Worker(url);
      made.onmessage = ({ data }) => made === worker && heard(data);
      made.onerror = () => made === worker && fail(alive ? "crash" : "worker");
      worker = made;
      alive = false;
    } catch (error) {
      console.error(error);
      fail("worker");
      return;
    }
    advance();
  }

  function stopWorker() {
    clearInterval(clock);
    clock = undefined;
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
    clearInterval(clock);
    clock = undefined;
    parts.clear();
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
    if (code !== "part") {
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

  return { start, ask, retry, state: () => state };
})();

// Python's side: takes the parts as they come, starts the runtime from them, answers requests.
//
// The build puts this after Pyodide's own scripts and unpack.js, in one file. The page starts it
// from a Blob URL, so it is under the page's Content-Security-Policy and has no network.

(() => {
  "use strict";

  /**
   * @typedef {object} Chunk
   * @property {string} kind
   * @property {number} index
   * @property {number} count
   * @property {number} length
   */

  const scope = /** @type {any} */ (self);
  /** @type {{lock: object, kinds: string[]}} */
  const settings = scope.vramSettings;

  /** @type {((request: string) => string) | undefined} */
  let answer;

  /** Bytes of one kind of part, in order, whatever order the parts are ready in. */
  function makeSource() {
    /** @type {ReadableStreamDefaultController<Uint8Array>} */
    let controller;
    /** @type {Map<number, ArrayBuffer>} */
    const early = new Map();
    let next = 1;
    const stream = new ReadableStream({
      start(given) {
        controller = given;
      },
    });
    return {
      stream,
      /** @param {Chunk} chunk @param {ArrayBuffer} bytes */
      put({ index, count }, bytes) {
        early.set(index, bytes);
        for (let ready = early.get(next); ready; ready = early.get(next)) {
          controller.enqueue(new Uint8Array(ready));
          early.delete(next);
          next += 1;
        }
        if (next > count) {
          controller.close();
        }
      },
    };
  }

  const sources = new Map(settings.kinds.map((kind) => [kind, makeSource()]));

  /** @param {string} kind @param {string} type */
  function response(kind, type) {
    return new Response(sources.get(kind)?.stream, { headers: { "content-type": type } });
  }

  /** @param {Chunk} chunk @param {string} text */
  async function accept(chunk, text) {
    try {
      sources.get(chunk.kind)?.put(chunk, await vramUnpack(chunk, text));
    } catch (error) {
      console.error(error);
      postMessage({ damaged: `${chunk.kind}-${chunk.index}` });
    }
  }

  /** @param {string} code @param {unknown} error */
  function fail(code, error) {
    console.error(error);
    postMessage({ fault: code });
  }

  /**
   * Everything that Pyodide would get from the network comes from the parts. The wasm is compiled
   * while it is still arriving, and a failure is told from here: Pyodide would only warn and hang.
   */
  function replaceLoading() {
    const compiled = WebAssembly.compileStreaming(response("wasm", "application/wasm"));
    compiled.catch((error) => fail("wasm", error));
    WebAssembly.instantiateStreaming = async (_source, imports) => {
      const module = await compiled;
      postMessage({ stage: "compiled" });
      try {
        return { module, instance: await WebAssembly.instantiate(module, imports) };
      } catch (error) {
        fail("wasm", error);
        throw error;
      }
    };
    scope.fetch = async (/** @type {unknown} */ address) =>
      String(address).endsWith(".zip") ? response("stdlib", "application/zip") : new Response(null);
  }

  async function start() {
    replaceLoading();
    const python = await scope.loadPyodide({
      // Never asked for: every address that Pyodide makes of it is answered above.
      indexURL: "https://runtime.invalid/",
      packageBaseUrl: "https://runtime.invalid/",
      lockFileContents: settings.lock,
      env: { HOME: "/home/pyodide", PYTHONHASHSEED: "0", LANG: "C.UTF-8" },
    });
    postMessage({ stage: "started" });
    answer = python.runPython("from calculator.web import answer; answer");
    postMessage({ ready: true });
  }

  /** @param {string} request */
  function reply(request) {
    if (!answer) {
      throw new Error("asked before ready");
    }
    return answer(request);
  }

  scope.onmessage = (/** @type {MessageEvent} */ { data }) => {
    if ("chunk" in data) {
      accept(data.chunk, data.text);
      return;
    }
    try {
      postMessage({ reply: reply(data.ask) });
    } catch (error) {
      fail("crash", error);
    }
  };

  postMessage({ stage: "alive" });
  start().catch((error) => fail("crash", error));
})();

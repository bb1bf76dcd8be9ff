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
  /** @type {{lock: object, snapshotBytes: number}} */
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

  const library = settings.snapshotBytes ? "snapshot" : "stdlib";
  const sources = new Map(["wasm", library].map((kind) => [kind, makeSource()]));

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
   *
   * @param {Uint32Array | undefined} image the snapshot that Pyodide will copy into its memory
   */
  function replaceLoading(image) {
    const compiled = WebAssembly.compileStreaming(response("wasm", "application/wasm"));
    compiled.catch((error) => fail("wasm", error));
    const delta = image ? response("snapshot", "").arrayBuffer() : undefined;
    WebAssembly.instantiateStreaming = async (_source, imports) => {
      const module = await compiled;
      postMessage({ stage: "compiled" });
      try {
        const instance = await WebAssembly.instantiate(module, imports);
        if (image && delta) {
          const memory = /** @type {WebAssembly.Memory} */ (imports?.env.memory);
          rebuild(image, new Uint32Array(await delta), new Uint32Array(memory.buffer));
        }
        return { module, instance };
      } catch (error) {
        fail("wasm", error);
        throw error;
      }
    };
    scope.fetch = async () => (image ? new Response(null) : response("stdlib", "application/zip"));
  }

  /**
   * Undo what the build did (delta.mjs): the snapshot travels as the difference from the memory
   * that the wasm starts with, and that memory is here.
   *
   * @param {Uint32Array} image filled in
   * @param {Uint32Array} delta
   * @param {Uint32Array} memory
   */
  function rebuild(image, delta, memory) {
    const [, offset, used, count] = delta;
    image.set(memory.subarray(0, used / 4), offset / 4);
    let from = 4 + 2 * count;
    for (let run = 0; run < count; run++) {
      const start = delta[4 + 2 * run];
      const length = delta[5 + 2 * run];
      for (let i = 0; i < length; i++) {
        image[start + i] ^= delta[from + i];
      }
      from += length;
    }
  }

  async function start() {
    const bytes = settings.snapshotBytes;
    const image = bytes ? new Uint32Array(bytes / 4) : undefined;
    replaceLoading(image);
    const python = await scope.loadPyodide({
      // Never asked for: every address that Pyodide makes of it is answered above.
      indexURL: "https://runtime.invalid/",
      packageBaseUrl: "https://runtime.invalid/",
      lockFileContents: settings.lock,
      env: { HOME: "/home/pyodide", PYTHONHASHSEED: "0", LANG: "C.UTF-8" },
      _loadSnapshot: image && new Uint8Array(image.buffer),
    });
    postMessage({ stage: "started" });
    answer = python.pyimport("calculator.web").answer;
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

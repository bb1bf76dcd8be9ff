// The worker of a built site, started in Node from the very parts that a visitor gets.

import fs from "node:fs";
import path from "node:path";
import vm from "node:vm";
import zlib from "node:zlib";

/**
 * @param {string} folder the site's `runtime/`
 * @returns {Promise<{python: any, ask: (request: string) => string}>}
 */
export async function startWorker(folder) {
  const parts = readParts(folder);
  const [glue] = parts.filter(([chunk]) => chunk.kind === "glue");
  // Emscripten and Pyodide take this for a browser's worker.
  Object.assign(globalThis, {
    self: globalThis,
    process: undefined,
    WorkerGlobalScope: class {
      static [Symbol.hasInstance]() {
        return true;
      }
    },
    importScripts() {
      throw new Error("no network");
    },
    location: { href: "blob:worker", toString: () => "blob:worker" },
  });
  const python = captured("loadPyodide");
  const ready = new Promise((resolve, reject) => {
    globalThis.postMessage = (message) => {
      if (message.ready) resolve(undefined);
      if (message.fault || message.damaged) reject(new Error(JSON.stringify(message)));
      if ("reply" in message) reply = message.reply;
    };
  });
  let reply = "";
  vm.runInThisContext(zlib.gunzipSync(Buffer.from(glue[1], "base64")).toString());
  for (const [chunk, text] of parts) {
    if (chunk.kind !== "glue") globalThis.onmessage({ data: { chunk, text } });
  }
  await ready;
  return {
    python: await python,
    ask(request) {
      globalThis.onmessage({ data: { ask: request } });
      return reply;
    },
  };
}

/** @returns {[{kind: string}, string][]} */
function readParts(folder) {
  const scope = { self: {} };
  vm.createContext(scope);
  for (const name of fs.readdirSync(folder)) {
    vm.runInContext(fs.readFileSync(path.join(folder, name), "utf8"), scope);
  }
  return scope.self.vramParts;
}

/** What the global function of that name returns when the glue calls it. */
function captured(name) {
  return new Promise((resolve) => {
    let given;
    Object.defineProperty(globalThis, name, {
      set(value) {
        given = value;
      },
      get() {
        if (typeof given !== "function") return given;
        return async (...args) => {
          const made = await given(...args);
          resolve(made);
          return made;
        };
      },
    });
  });
}

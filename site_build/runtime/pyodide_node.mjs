// The pinned runtime, started in Node as the worker starts it in the browser.

import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";

/** The build's Python passes one JSON object to each of these scripts. */
export const job = process.argv[2] ? JSON.parse(process.argv[2]) : {};

/**
 * @param {string} directory the npm package's folder
 * @param {object} options more options of loadPyodide
 */
export async function boot(directory, options) {
  const { loadPyodide } = await import(pathToFileURL(path.join(directory, "pyodide.mjs")).href);
  return loadPyodide({
    indexURL: directory,
    lockFileContents: job.lock,
    env: { HOME: "/home/pyodide", PYTHONHASHSEED: "0", LANG: "C.UTF-8" },
    // Else it would be this script's path, which nobody should find in a published snapshot.
    _sysExecutable: "python",
    ...options,
  });
}

/** Run a Python file in a scope of its own, of which nothing stays behind. */
export function runFile(pyodide, file) {
  const globals = pyodide.runPython("{'__name__': 'build'}");
  pyodide.runPython(fs.readFileSync(file, "utf8"), { globals });
  globals.destroy();
}

// Node would print the failing source line, which is all of pyodide.asm.js.
process.on("uncaughtException", (error) => {
  process.stderr.write(`${error.stack}\n`);
  process.exit(1);
});

// Writes the memory of a runtime in which the calculator is imported and has been used.

import "./fixed_world.mjs";
import fs from "node:fs";
import { pack } from "./delta.mjs";
import { boot, job, runFile } from "./pyodide_node.mjs";

/** @type {Uint8Array} */
let initial;
const instantiate = WebAssembly.instantiate;
WebAssembly.instantiate = async (source, imports) => {
  const made = await instantiate(source, imports);
  if (imports?.env?.memory) {
    initial = new Uint8Array(imports.env.memory.buffer.slice(0));
  }
  return made;
};

const pyodide = await boot(job.pyodide, { stdLibURL: job.stdlib, _makeSnapshot: true });
runFile(pyodide, job.exercise);
runFile(pyodide, job.tidy);
fs.writeFileSync(job.out, pack(pyodide.makeMemorySnapshot(), initial));

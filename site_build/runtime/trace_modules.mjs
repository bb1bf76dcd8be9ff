// Prints, as JSON, which files of a standard library with the calculator in it are really imported.

import fs from "node:fs";
import { boot, job } from "./pyodide_node.mjs";

const pyodide = await boot(job.pyodide, { stdLibURL: job.stdlib });
pyodide.runPython(fs.readFileSync(job.exercise, "utf8"), {
  globals: pyodide.runPython("{'__name__': 'exercise'}"),
});
const names = pyodide.runPython(`
import json, sys
archive = next(entry for entry in sys.path if entry.endswith(".zip")) + "/"
origins = (getattr(getattr(module, "__spec__", None), "origin", None) for module in list(sys.modules.values()))
json.dumps(sorted(o.removeprefix(archive) for o in origins if o and o.startswith(archive)))
`);
process.stdout.write(names);

// Prints, as JSON, which files of a standard library with the calculator in it are really imported.

import { boot, job, runFile } from "./pyodide_node.mjs";

const pyodide = await boot(job.pyodide, { stdLibURL: job.stdlib });
runFile(pyodide, job.exercise);
const names = pyodide.runPython(`
import json, sys
archive = next(entry for entry in sys.path if entry.endswith(".zip")) + "/"
specs = [getattr(module, "__spec__", None) for module in list(sys.modules.values())]
origins = [getattr(spec, "origin", None) or "" for spec in specs]
json.dumps(sorted(o.removeprefix(archive) for o in origins if o.startswith(archive)))
`);
process.stdout.write(names);

// A snapshot as the difference from the memory that the wasm itself starts with, without its holes.
//
// Little-endian 32-bit words: bytes of the snapshot, where in it the memory's image begins, bytes
// of the memory's own start that are not all zero, number of runs; for each run its start and its
// length in words; then the words of all runs, each the exclusive or of snapshot and start.
// worker.js undoes it.

// A hole of fewer words costs less as zeros than as another run.
const HOLE = 16;

/**
 * @param {Uint8Array} snapshot what makeMemorySnapshot returned
 * @param {Uint8Array} initial the memory right after instantiation
 * @returns {Buffer}
 */
export function pack(snapshot, initial) {
  const image = new Uint32Array(snapshot.slice().buffer);
  const start = new Uint32Array(initial.slice().buffer);
  const offset = image[1];
  const used = start.findLastIndex((word) => word !== 0) + 1;
  for (let i = 0; i < used; i++) {
    image[offset / 4 + i] ^= start[i];
  }
  const runs = findRuns(image);
  const head = new Uint32Array([image.byteLength, offset, used * 4, runs.length, ...runs.flat()]);
  const bodies = runs.map(([at, length]) => bytes(image.subarray(at, at + length)));
  return Buffer.concat([bytes(head), ...bodies]);
}

/** @param {Uint32Array} words */
function bytes(words) {
  return new Uint8Array(words.buffer, words.byteOffset, words.byteLength);
}

/**
 * @param {Uint32Array} image
 * @returns {[number, number][]} start and length of each run
 */
function findRuns(image) {
  const runs = [];
  for (let i = 0; i < image.length; i++) {
    if (image[i] === 0) {
      continue;
    }
    const last = runs.at(-1);
    if (last && i - (last[0] + last[1]) < HOLE) {
      last[1] = i - last[0] + 1;
    } else {
      runs.push([i, 1]);
    }
  }
  return runs;
}

// How a part of the runtime becomes bytes again. The page and the worker both load this script.

var vramUnpack = (() => {
  "use strict";

  /**
   * @param {string} text base64
   * @returns {Uint8Array<ArrayBuffer>}
   */
  function decode(text) {
    const native = /** @type {{fromBase64?: (text: string) => Uint8Array<ArrayBuffer>}} */ (
      /** @type {unknown} */ (Uint8Array)
    );
    if (native.fromBase64) {
      return native.fromBase64(text);
    }
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) {
      bytes[i] = binary.charCodeAt(i);
    }
    return bytes;
  }

  /**
   * One part, checked: base64 of the announced length, and gzip's own checksum.
   *
   * @param {{length: number}} chunk
   * @param {string} text
   * @returns {Promise<ArrayBuffer>} rejected when the part is damaged
   */
  async function unpack(chunk, text) {
    if (text.length !== chunk.length) {
      throw new Error(`${text.length} characters instead of ${chunk.length}`);
    }
    const inflate = new DecompressionStream("gzip");
    // Fed by its writer, since WebKit can't read a Blob's stream in a worker. What goes wrong
    // here is reported by the reading side.
    const writer = inflate.writable.getWriter();
    writer.write(decode(text)).catch(() => {});
    writer.close().catch(() => {});
    return new Response(inflate.readable).arrayBuffer();
  }

  return unpack;
})();

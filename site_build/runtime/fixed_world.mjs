// Time and chance stand still while the snapshot is made: whatever of them were left in Python's
// memory would differ from build to build. Imported before anything else.

import nodeCrypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";

const NOW = Date.UTC(2025, 0, 1);

globalThis.Date = class extends Date {
  constructor(...given) {
    super(...(given.length > 0 ? given : [NOW]));
  }

  static now() {
    return NOW;
  }
};
performance.now = () => 0;
Math.random = () => 0.5;
nodeCrypto.randomFillSync = (array) => array.fill(7);
syncBuiltinESMExports();

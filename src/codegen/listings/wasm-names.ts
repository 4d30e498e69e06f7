/** Names of a WebAssembly module's exported functions by index: V8's listing only has the index when names are stripped. */

const EXPORT_SECTION = 7;
const FUNCTION_KIND = 0;

/** A reader of LEB128 numbers and names; past the end everything is 0 or empty. */
const reader = (bytes: Uint8Array) => {
  let at = 0;
  const byte = (): number => bytes.at(at++) ?? 0;
  const unsigned = (): number => {
    let value = 0;
    let scale = 1;
    for (;;) {
      const next = byte();
      value += (next & 0x7f) * scale;
      if (next < 0x80) return value;
      scale *= 128;
    }
  };
  const take = (length: number): Uint8Array => bytes.subarray(at, (at += length));
  return { byte, unsigned, take, more: () => at < bytes.length };
};

/** Exported functions of a module: index (imports counted) to name; empty for what is not a module. */
export const exportedFunctionNames = (module: Uint8Array): ReadonlyMap<number, string> => {
  const names = new Map<number, string>();
  const sections = reader(module.subarray(8));
  while (sections.more()) {
    const id = sections.byte();
    const body = sections.take(sections.unsigned());
    if (id !== EXPORT_SECTION) continue;
    const exports = reader(body);
    for (let left = exports.unsigned(); left > 0 && exports.more(); left--) {
      const name = new TextDecoder().decode(exports.take(exports.unsigned()));
      const kind = exports.byte();
      const index = exports.unsigned();
      if (kind === FUNCTION_KIND) names.set(index, name);
    }
  }
  return names;
};

/** What a cell's name says of its settings. Pure. */

/** The names and values in a cell's name, such as `t=4 F=256`; a cell of no settings has none. */
export const settingsIn = (cell: string): readonly (readonly [name: string, value: string])[] =>
  cell.split(" ").flatMap((part) => {
    const equals = part.indexOf("=");
    return equals < 0 ? [] : [[part.slice(0, equals), part.slice(equals + 1)] as const];
  });

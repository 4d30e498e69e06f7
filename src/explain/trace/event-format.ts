/**
 * What the kernel says of its binary events: each event's `format` file gives number, fields, offsets and sizes. They
 * differ between kernels, so nothing is assumed about them.
 */

/** Where a field of an event lies. */
export interface FieldFormat {
  readonly offset: number;
  readonly size: number;
  readonly signed: boolean;
  /** Text whose place in the record is itself stored in the field. */
  readonly dynamic: boolean;
}

/** One event's number and its fields by name. */
export interface EventFormat {
  /** Such as `sched_switch`. */
  readonly name: string;
  readonly id: number;
  readonly fields: ReadonlyMap<string, FieldFormat>;
}

const FIELD = /field:([^;]+?)\s*(?:\[[^\]]*\])?;\s*offset:(\d+);\s*size:(\d+);(?:\s*signed:(\d);)?/g;

/** Reads an event's `format` file; null when it is not one. */
export const parseEventFormat = (text: string): EventFormat | null => {
  const name = /^name:\s*(\w+)/m.exec(text)?.[1];
  const id = /^ID:\s*(\d+)/m.exec(text)?.[1];
  if (name === undefined || id === undefined) return null;
  const fields = new Map<string, FieldFormat>();
  for (const [, declaration = "", offset, size, signed] of text.matchAll(FIELD)) {
    const field = declaration.split(/[\s*]+/).at(-1) ?? "";
    const dynamic = declaration.includes("__data_loc");
    fields.set(field, { offset: Number(offset), size: Number(size), signed: signed === "1", dynamic });
  }
  return { name, id: Number(id), fields };
};

/** The head of a page in `trace_pipe_raw`, from `events/header_page`. */
export interface PageFormat {
  /** Bytes of a whole page. */
  readonly pageBytes: number;
  readonly commit: FieldFormat;
  /** Offset of the first event. */
  readonly dataOffset: number;
}

/** Reads `events/header_page`; null when it is not one. */
export const parsePageFormat = (text: string): PageFormat | null => {
  const parsed = parseEventFormat(`name: header_page\nID: 0\n${text}`);
  const commit = parsed?.fields.get("commit");
  const data = parsed?.fields.get("data");
  if (commit === undefined || data === undefined) return null;
  return { pageBytes: data.offset + data.size, commit, dataOffset: data.offset };
};

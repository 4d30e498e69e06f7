const MARKS = ["<!-- ages: generated -->", "<!-- end of ages -->"];

const withAges = (text, table) => {
  const [start, end] = MARKS.map((mark) => text.indexOf(mark));
  return start < 0 || end < start ? text : `${text.slice(0, start + MARKS[0].length)}\n\n${table}\n${text.slice(end)}`;
};

/** What is made from the schema of the run result, each with its path; and the table of ages inside docs/parse.md. */
export const resultDocs = async (load, current) => {
  const { resultSchema, jsonDocs } = await load("text/json-docs.js");
  const { explanation } = await load("explain/explanation.js");
  const { erasTable } = await load("parse/result/eras.js");
  return [
    { path: "docs/run-result.schema.json", text: `${JSON.stringify(resultSchema(), null, 2)}\n` },
    { path: "docs/json.md", text: jsonDocs(explanation) },
    { path: "docs/parse.md", text: withAges(current("docs/parse.md") ?? "", erasTable()) },
  ];
};

/** What is made from the option tables, each with its path: docs/options.md, the man page, the completions. */
export const optionDocs = async (load) => {
  const { generatedFiles } = await load("cli/help/help-files.js");
  const { commandBook } = await load("cli/command-list.js");
  return await generatedFiles(commandBook);
};

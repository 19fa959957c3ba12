/** Words before the extension behind a number: `ext. 503`, `ramal 1105`. */
export const extensionWords: readonly string[] = (
  'x ext extn extension extensión extensão ramal ramais r anexo int interno poste ' +
  'durchwahl dw nst nebenstelle app doorkies tst dahili wew доб'
).split(' ');

/** The most digits of an extension. Behind a word, more digits are another number. */
export const maxExtensionDigits = 7;

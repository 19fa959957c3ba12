/** What is wrong with a workbook of a spreadsheet, which is a zip file, where its text was meant. */
export const workbookProblem = 'this is a workbook or another zip file; save it as CSV';

export const isWorkbook = (text: string): boolean => text.startsWith('PK\u0003\u0004');

/** The problem that is reported if a workbook of a spreadsheet (a zip file) was given instead of its text. */
export const workbookProblem = 'this is a workbook or another zip file; save it as CSV';

export const isWorkbook = (text: string): boolean => text.startsWith('PK\u0003\u0004');

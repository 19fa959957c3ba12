type Value = string | number | null;

/** A statement, or a part of one, with its values. */
export class Sql {
  constructor(
    readonly text: string,
    readonly values: readonly Value[],
  ) {}
}

/** Reads a template as SQL: `sql` in it is inserted as it is, and each value becomes a parameter. */
export function sql(texts: TemplateStringsArray, ...inputs: readonly (Value | Sql)[]): Sql {
  let text = texts[0]!;
  const values: Value[] = [];
  inputs.forEach((input, index) => {
    const part = input instanceof Sql ? input : { text: '?', values: [input] };
    text += part.text + texts[index + 1]!;
    values.push(...part.values);
  });
  return new Sql(text, values);
}

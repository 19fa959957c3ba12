import { describe, expect, it } from 'vitest';
import { chooseLanguage, languages } from './language.ts';

describe('the words', () => {
  const english = languages.en!;
  it.each(Object.entries(languages))(
    'are all there in %s, with the same places to set something in',
    (_tag, words) => {
      expect(Object.keys(words)).toEqual(Object.keys(english));
      for (const [key, sentence] of Object.entries(words)) {
        expect(sentence.trim(), key).not.toBe('');
        expect(sentence.split('{}').length, key).toBe(
          english[key as keyof typeof english].split('{}').length,
        );
      }
    },
  );

  it('never claim that a call is connected', () => {
    for (const words of Object.values(languages))
      expect(JSON.stringify({ ...words, loading: '' })).not.toMatch(/connected|conectad|in conversation/i);
  });
});

describe('choosing a language', () => {
  it('takes the first wish that it speaks, with its region', () => {
    expect(chooseLanguage(['de', 'pt-BR', 'en'])).toMatchObject({
      tag: 'pt-BR',
      region: 'BR',
      words: languages.pt,
    });
    expect(chooseLanguage(['es'])).toMatchObject({ tag: 'es', region: undefined, words: languages.es });
    expect(chooseLanguage(['EN-us'])).toMatchObject({ region: 'US', words: languages.en });
  });

  it('speaks English to everybody else', () => {
    expect(chooseLanguage([null, undefined, '', 'xx', 'not a tag', '"><img>'])).toMatchObject({ tag: 'en' });
  });
});

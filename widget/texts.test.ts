import { describe, expect, it } from 'vitest';
import { languages, pickLanguage } from './texts.ts';

describe('texts', () => {
  const english = languages.en!;
  it.each(Object.entries(languages))('has every key in %s, with the same placeholders', (_tag, texts) => {
    expect(Object.keys(texts)).toEqual(Object.keys(english));
    for (const [key, sentence] of Object.entries(texts)) {
      expect(sentence.trim(), key).not.toBe('');
      expect(sentence.split('{}').length, key).toBe(english[key as keyof typeof english].split('{}').length);
    }
  });

  it('claims that two are connected in the text of that state alone', () => {
    for (const texts of Object.values(languages))
      expect(Object.values({ ...texts, loading: '', connected: '' }).join('\n')).not.toMatch(
        /connected|conectad|\b(em|en) conversa/i,
      );
  });
});

describe('chooseLanguage', () => {
  it('returns the first supported language with its region', () => {
    expect(pickLanguage(['de', 'pt-BR', 'en'])).toMatchObject({
      tag: 'pt-BR',
      region: 'BR',
      texts: languages.pt,
    });
    expect(pickLanguage(['es'])).toMatchObject({ tag: 'es', region: undefined, texts: languages.es });
    expect(pickLanguage(['EN-us'])).toMatchObject({ region: 'US', texts: languages.en });
  });

  it('falls back to English', () => {
    expect(pickLanguage([null, undefined, '', 'xx', 'not a tag', '"><img>'])).toMatchObject({ tag: 'en' });
  });
});

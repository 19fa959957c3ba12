import { describe, expect, it } from 'vitest';
import { pickLanguage, widgetLanguages } from './texts.ts';

describe('texts', () => {
  const english = widgetLanguages.en!;
  it.each(Object.entries(widgetLanguages))(
    'has every key in %s, with the same placeholders',
    (_tag, texts) => {
      expect(Object.keys(texts)).toEqual(Object.keys(english));
      for (const [key, sentence] of Object.entries(texts)) {
        expect(sentence.trim(), key).not.toBe('');
        expect(sentence.split('{}').length, key).toBe(
          english[key as keyof typeof english].split('{}').length,
        );
      }
    },
  );

  it('claims that two are connected in the text of that state alone', () => {
    for (const texts of Object.values(widgetLanguages))
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
      texts: widgetLanguages.pt,
    });
    expect(pickLanguage(['es'])).toMatchObject({ tag: 'es', region: undefined, texts: widgetLanguages.es });
    expect(pickLanguage(['EN-us'])).toMatchObject({ region: 'us', texts: widgetLanguages.en });
    // Latin America, which is no country.
    expect(pickLanguage(['es-419', 'en-US'])).toMatchObject({
      tag: 'es-419',
      region: undefined,
      texts: widgetLanguages.es,
    });
  });

  it.each([
    ['pt_BR', 'BR'],
    ['pt-BR-', 'BR'],
    ['en-x', undefined],
    ['es_419.UTF-8', undefined],
    ['pt--BR', undefined],
  ])('reads the language of the malformed tag %s as one that dates can be written in', (tag, region) => {
    const picked = pickLanguage([tag, 'zz']);
    expect(picked).toMatchObject({ region, texts: widgetLanguages[tag.slice(0, 2)] });
    expect(() => new Date().toLocaleString(picked.tag)).not.toThrow();
  });

  it('falls back to English', () => {
    expect(pickLanguage([null, undefined, '', 'xx', 'not a tag', '"><img>'])).toMatchObject({ tag: 'en' });
  });
});

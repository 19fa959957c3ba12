const maxBytes = 4_000_000;

/** Reads a reply's body as JSON. @throws RangeError above `maxBytes`, so that a faulty relay cannot fill the page's memory. */
export async function readJson(response: Response): Promise<unknown> {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return JSON.parse(text + decoder.decode());
    length += value.length;
    if (length > maxBytes) {
      void reader.cancel();
      throw new RangeError('too large');
    }
    text += decoder.decode(value, { stream: true });
  }
}

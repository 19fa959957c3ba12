/** The body of an answer as JSON, but never more of it than `limit` bytes: a relay that lies must not fill our memory. */
export async function readJson(response: Response, limit = 4_000_000): Promise<unknown> {
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let text = '';
  let length = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return JSON.parse(text + decoder.decode());
    length += value.length;
    if (length > limit) {
      void reader.cancel();
      throw new RangeError('the answer is too large');
    }
    text += decoder.decode(value, { stream: true });
  }
}

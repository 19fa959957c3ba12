/** Reads the body as text, at most `maxBytes` of it; the rest stays unread. */
export async function readTextUpTo(response: Response, maxBytes: number): Promise<string> {
  const reader = response.body?.getReader();
  if (!reader) return '';
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    text += decoder.decode(value.subarray(0, maxBytes - bytes), { stream: true });
    bytes += value.length;
    if (bytes > maxBytes) {
      await reader.cancel();
      return text;
    }
  }
}

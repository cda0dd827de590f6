/** Text of sanitised HTML, with an empty line between paragraphs. `paragraphsOf` is the inverse. */
export function textOfHtml(html: string): string {
  const body = new DOMParser().parseFromString(html, 'text/html').body
  for (const br of body.querySelectorAll('br')) br.replaceWith('\n')
  for (const block of body.querySelectorAll('p, div, h1, h2, h3, h4, h5, h6, li, blockquote')) block.append('\n\n')
  return (body.textContent ?? '').replace(/\n{3,}/g, '\n\n').trim()
}

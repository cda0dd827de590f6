import { marked } from 'marked'

/** Markdown as the body of a post: single line breaks stay, images are removed. The server sanitises the result like any other text. */
export function htmlOfMarkdown(markdown: string): string {
  const html = marked.parse(markdown, { async: false, gfm: true, breaks: true })
  return html
    .replace(/<img[^<>]*>/g, '')
    .replace(/<hr\s*\/?>/g, '')
    .replace(/<input[^<>]*>\s*/g, (box) => (box.includes('checked') ? '☑ ' : '☐ '))
    .replace(/<del>|<\/del>/g, '')
    .replace(/<pre><code[^>]*>([\s\S]*?)<\/code><\/pre>/g, (_, code: string) => `<p>${codeLines(code)}</p>`)
    .replace(/<\/?(?:code|table|thead|tbody)>/g, '')
    .replace(
      /<tr>([\s\S]*?)<\/tr>/g,
      (_, row: string) =>
        `<p>${row
          .replace(/<\/t[hd]>\s*<t[hd][^>]*>/g, ' · ')
          .replace(/<\/?t[hd][^<>]*>/g, '')
          .trim()}</p>`,
    )
    .replace(/<p>\s*(?:<br\s*\/?>\s*)*<\/p>/g, '')
    .replace(/<br\s*\/>/g, '<br>')
    .trim()
}

/** Posts have no element for code: its lines and indents stay. */
function codeLines(code: string): string {
  return code
    .trimEnd()
    .replace(/^\n+/, '')
    .replace(/^ +/gm, (indent) => '&nbsp;'.repeat(indent.length))
    .replace(/\n/g, '<br>')
}

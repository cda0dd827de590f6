import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LIMITS } from '../../contract/limits.ts'
import { sanitizeHtml } from './sanitize.ts'

const SCHEMES = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:x',
]

/** From the corpora of DOMPurify and mXSS research. */
const PAYLOADS = [
  '<script>alert(1)</script>',
  '<script src=//evil.example></script>text',
  '<scr<script>ipt>alert(1)</scr</script>ipt>',
  '<img src=x onerror=alert(1)>',
  '<img src="x` `<script>alert(1)</script>"` `>',
  '<svg onload=alert(1)>',
  '<svg/onload=alert(1)//',
  '<svg><script>alert(1)</script></svg>',
  '<svg><style><img src=x onerror=alert(1)></style></svg>',
  '<svg><g onload="alert(1)"></g></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<svg><a xlink:href="javascript:alert(1)"><text y=20>x</text></a></svg>',
  '<svg></p><style><a id="</style><img src=1 onerror=alert(1)>">',
  '<svg><foreignObject><iframe srcdoc="<script>alert(1)</script>"></foreignObject></svg>',
  '<math><mi//xlink:href="data:x,<script>alert(1)</script>">',
  '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">',
  '<math><annotation-xml encoding="text/html"><style><img src=x onerror=alert(1)></style></annotation-xml></math>',
  '<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>"></noscript>',
  '<noembed><img title="</noembed><img src onerror=alert(1)>"></noembed>',
  '<xmp><p title="</xmp><img src=x onerror=alert(1)>"></xmp>',
  '<title><img title="</title><img src=x onerror=alert(1)>"></title>',
  '<textarea><img title="</textarea><img src=x onerror=alert(1)>"></textarea>',
  '<style><style/><img src=x onerror=alert(1)>',
  '<style>@import "javascript:alert(1)";</style>',
  '<template><script>alert(1)</script></template>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<iframe srcdoc="<img src=x onerror=alert(1)>"></iframe>',
  '<object data="javascript:alert(1)"></object>',
  '<object data=x><param name=src value=y></object>',
  '<embed src="javascript:alert(1)">',
  '<applet code=x></applet>',
  '<form action="javascript:alert(1)"><input type=submit></form>',
  '<form id=x></form><button form=x formaction="javascript:alert(1)">go',
  '<input onfocus=alert(1) autofocus>',
  '<select onfocus=alert(1) autofocus><option>x</select>',
  '<keygen autofocus onfocus=alert(1)>',
  '<video><source onerror="alert(1)"></video>',
  '<audio src=x onerror=alert(1)></audio>',
  '<details open ontoggle=alert(1)>x</details>',
  '<marquee onstart=alert(1)>x</marquee>',
  '<body onload=alert(1)>x',
  '<base href="javascript:/a/-alert(1)///////"><a href=../lol/safari.html>x</a>',
  '<link rel=stylesheet href="javascript:alert(1)">',
  '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
  '<isindex type=image src=1 onerror=alert(1)>',
  '<table background="javascript:alert(1)"><tr><td>x</table>',
  '<div style="background:url(javascript:alert(1))">x</div>',
  '<div style=width:expression(alert(1))>x</div>',
  '<p onclick=alert(1) onmouseover="alert(1)">x</p>',
  '<p/onclick=alert(1)>x</p>',
  '<p title="x" onclick\n=\nalert(1)>x</p>',
  '<a href="javascript:alert(1)">x</a>',
  '<a href=" javascript:alert(1)">x</a>',
  '<a href="java\tscript:alert(1)">x</a>',
  '<a href="java\nscript:alert(1)">x</a>',
  '<a href="java&#9;script:alert(1)">x</a>',
  '<a href="&#106;&#97;&#118;&#97;script:alert(1)">x</a>',
  '<a href="&#x6A&#x61&#x76&#x61&#x73&#x63&#x72&#x69&#x70&#x74&#x3A&#x61&#x6C&#x65&#x72&#x74(1)">x</a>',
  '<a href="javascript&colon;alert(1)">x</a>',
  '<a href="java&NewLine;script&colon;alert(1)">x</a>',
  '<a href="java&Tab;script&colon;alert(1)">x</a>',
  '<a href="\u0001javascript:alert(1)">x</a>',
  '<a href="&#1;javascript:alert(1)">x</a>',
  '<a href="java\u0000script:alert(1)">x</a>',
  '<a href="\u00a0javascript:alert(1)">x</a>',
  '<a href="data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==">x</a>',
  '<a href="data:application/xhtml+xml,<x/>">x</a>',
  '<a href="vbscript:msgbox(1)">x</a>',
  '<a href="view-source:javascript:alert(1)">x</a>',
  '<a href="jar:http://x!/y">x</a>',
  '<a href="//evil.example/x">x</a>',
  '<a href="\\\\evil.example">x</a>',
  '<a href="http://x" href="javascript:alert(1)" onclick=alert(1)>x</a>',
  '<a target=_blank href=http://x>x</a>',
  '<a target="_blank" rel="opener" href="http://x">x</a>',
  '<a target=evil href=http://x>x</a>',
  '<a href="http://x" ping="http://y" download>x</a>',
  '<a href=\'http://x"onmouseover="alert(1)\'>x</a>',
  '<a href="http://x&quot;onmouseover=&quot;alert(1)">x</a>',
  '<p class="x&quot; onclick=&quot;alert(1)">x</p>',
  '<p class="\'><img src=x onerror=alert(1)>">x</p>',
  '<span class=`x` onclick=alert(1)>x</span>',
  '<![CDATA[<script>alert(1)</script>]]>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<!-- --!><img src=x onerror=alert(1)>',
  '<!doctype html [<!ENTITY x "<img src=x onerror=alert(1)>">]>x',
  '<?xml version="1.0"?><?php echo 1 ?>x',
  "<%<!--'%><script>alert(1);</script -->",
  '</ script><img src=x onerror=alert(1)>',
  '<a/<b><c><img src=x onerror=alert(1)></a>',
  '<x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>',
  '&lt;script&gt;alert(1)&lt;/script&gt;',
  '&amp;lt;script&amp;gt;alert(1)',
  '<<script>alert(1);//<</script>',
  '<IMG """><SCRIPT>alert(1)</SCRIPT>"\\>',
  '<SCRIPT/XSS SRC="http://x/xss.js"></SCRIPT>',
  '<plaintext><img src=x onerror=alert(1)>',
  '<frameset onload=alert(1)>x',
  '<p\u000bonclick=alert(1)>x',
  '<b><p><a><b><p><a href="javascript:x"><img onerror=alert(1) src>',
  '\ud800<p>lone\udc00</p>',
  '<p id="__proto__" name="constructor">clobber</p>',
  '<dialog open><p>x</p></dialog>',
  '<p contenteditable tabindex=1 autofocus onfocus=alert(1)>x</p>',
]

const ALLOWED =
  /^(?:[^<>]|<br>|<\/?(?:p|div|h[1-6]|ul|ol|li|blockquote|strong|b|em|i|u|span)(?: class="[\w -]+")?>|<\/a>|<a(?: href="(?:https?:|mailto:)[^"<>]*")?(?: target="_blank")?(?: rel="[a-z ]+")?(?: class="[\w -]+")?>)*$/

test.each(PAYLOADS)('sanitizeHtml reduces %s to the allow-list', (payload) => {
  for (const html of [payload, `<p>${payload}`, `<ul><li>${payload}</li></ul>`, `<a href="https://example.org">${payload}`]) {
    const clean = sanitizeHtml(html)
    expect(clean).toMatch(ALLOWED)
    expect(sanitizeHtml(clean)).toBe(clean)
  }
})

describe('allowed content', () => {
  test('sanitizeHtml keeps every allowed element', () => {
    const html =
      '<h1>a</h1><h2>b</h2><p><strong>c</strong> <b>d</b> <em>e</em> <i>f</i> <u>g</u><br><span class="x">h</span></p><ul><li>i</li></ul><ol><li>j<ul><li>k</li></ul></li></ol><blockquote><p>l</p></blockquote><div>m</div>'
    expect(sanitizeHtml(html)).toBe(html)
  })
  test('sanitizeHtml keeps text with entities and emoji', () => {
    expect(sanitizeHtml('a < b &amp;&nbsp;c &copy; 👨‍👩‍👧 “q”')).toBe('a &lt; b &amp;&nbsp;c © 👨‍👩‍👧 “q”')
  })
  test('sanitizeHtml keeps the text of removed elements', () => {
    expect(sanitizeHtml('<section><form>one <button>two</button></form><font color=red>three</font></section>')).toBe('one twothree')
  })
  test('sanitizeHtml keeps links, with noopener if they have a target', () => {
    expect(sanitizeHtml('<a href="https://example.org/a?b=1&amp;c=2" target="_blank" rel="nofollow">x</a>')).toBe(
      '<a href="https://example.org/a?b=1&amp;c=2" target="_blank" rel="noopener noreferrer nofollow">x</a>',
    )
    expect(sanitizeHtml('<a href="mailto:a@b.org">x</a>')).toBe('<a href="mailto:a@b.org">x</a>')
    for (const href of SCHEMES) expect(sanitizeHtml(`<a href="${href}">x</a>`)).toBe('<a>x</a>')
  })
})

describe('nesting', () => {
  test.each([
    ['<p>a<p>b', '<p>a</p><p>b</p>'],
    ['<p>a<div>b</div>', '<p>a</p><div>b</div>'],
    ['<ul><li>a<li>b</ul>', '<ul><li>a</li><li>b</li></ul>'],
    ['<b><i>a</b>b</i>', '<b><i>a</i></b>b'],
    ['<h1>a<h2>b', '<h1>a</h1><h2>b</h2>'],
    ['</p></div>a', 'a'],
    ['<b><p>a</b>b</p>c', '<b><p>ab</p>c</b>'],
    ['<ul><li>a<ul><li>b</ul><li>c</ul>', '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>'],
    ['<svg/><p>a</p>', '<p>a</p>'],
  ])('sanitizeHtml balances %s', (html, clean) => expect(sanitizeHtml(html)).toBe(clean))
})

test('sanitizeHtml reduces any text to the allow-list and is idempotent', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      ...PAYLOADS,
      ...'<p> <div> <li> <ul> <a href=http://x> </p> </div> </ul> </a> <b> </b> <svg> </svg> <!-- --> " \' > < &'.split(' '),
    ),
    fc.string(),
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const clean = sanitizeHtml(pieces.join(''))
      expect(clean).toMatch(ALLOWED)
      expect(sanitizeHtml(clean)).toBe(clean)
    }),
    { numRuns: 300 },
  )
})

describe('hostile input', () => {
  const MIB = 1024 * 1024
  const fill = (text: string, size: number) => text.repeat(Math.floor(size / text.length))
  // `part` scales the size.
  test.each<[string, (part: number) => string]>([
    ['1 MiB of <', (part) => fill('<', part * MIB)],
    ['nested tags', (part) => '<div>'.repeat(part * 100_000)],
    ['nested and closed', (part) => '<b>'.repeat(part * 100_000) + '</b>'.repeat(part * 100_000)],
    ['formatting that browsers reopen', (part) => '<b class=a><i class=b>'.repeat(part * 8_000) + '<p>x'.repeat(part * 60_000)],
    ['a tag with 200,000 attributes', (part) => `<a ${fill('a1 b ', part * MIB)}>`],
    ['one endless attribute', (part) => `<a href="${fill('x', part * MIB)}`],
    ['lists without end', (part) => fill('<li><ul>', part * LIMITS.postBody)],
    ['links in links', (part) => fill('<a href=http://x>', part * LIMITS.postBody)],
    ['unclosed comment', (part) => `<!--${fill('-', part * MIB)}`],
    ['entities', (part) => fill('&amp;&#x41;', part * MIB)],
  ])('sanitizeHtml takes linear time for %s', (_name, html) => {
    sanitizeHtml(html(0.01))
    const quarter = leastTime(html(0.25))
    // For four times the length, the ratio is about 4 if the time is linear, 16 if it is quadratic.
    expect(leastTime(html(1)) / Math.max(quarter, 8)).toBeLessThan(9)
  })
})

/** CPU time in ms, because other tests run in parallel. */
function leastTime(html: string): number {
  const times = [1, 2, 3, 4].map(() => {
    const start = process.threadCpuUsage()
    sanitizeHtml(html)
    const { user, system } = process.threadCpuUsage(start)
    return (user + system) / 1000
  })
  return Math.min(...times)
}

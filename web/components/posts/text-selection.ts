import { TextSelection } from '@tiptap/pm/state'
import type { EditorView } from '@tiptap/pm/view'

/**
 * Takes over what is selected before a shortcut acts upon it. The browser tells of a changed selection only in a later task, so that
 * a shortcut struck right after Shift and an arrow would miss the last step.
 */
export function selectBeforeShortcut(view: EditorView, event: KeyboardEvent): void {
  if (!(event.ctrlKey || event.metaKey) || event.isComposing || view.composing) return
  const shown = view.dom.ownerDocument.getSelection()
  const { selection, doc, tr } = view.state
  if (!(selection instanceof TextSelection) || !shown?.anchorNode || !shown.focusNode) return
  if (!view.dom.contains(shown.anchorNode) || !view.dom.contains(shown.focusNode)) return
  const [anchor, head] = [view.posAtDOM(shown.anchorNode, shown.anchorOffset), view.posAtDOM(shown.focusNode, shown.focusOffset)]
  const actual = TextSelection.between(doc.resolve(anchor), doc.resolve(head))
  if (!actual.eq(selection)) view.dispatch(tr.setSelection(actual))
}

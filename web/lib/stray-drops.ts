import { carriesFiles } from './pick-files.ts'

/** Files that are dropped where nobody takes them would open in place of the app. */
export function refuseStrayDrops(): void {
  const refuse = (event: DragEvent) => {
    const { dataTransfer, target, defaultPrevented } = event
    if (defaultPrevented || !dataTransfer || !carriesFiles(dataTransfer)) return
    if (target instanceof HTMLInputElement && target.type === 'file') return
    event.preventDefault()
    dataTransfer.dropEffect = 'none'
  }
  addEventListener('dragover', refuse)
  addEventListener('drop', refuse)
}

import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { t } from '#say'
import { applyPlanAtom, selectedItemsAtom } from '../../atoms/bulk.ts'
import type { OverlayProps } from '../../atoms/overlays.ts'
import { mayEditAtom } from '../../atoms/rights.ts'
import { type DateForm, dateChangeOf } from '../../lib/bulk/date.ts'
import { type DateChange, type Item, type Plan, planDate } from '../../lib/bulk/plan.ts'
import { itemsPhrase, itemsText, previewText, shiftText } from '../../lib/bulk/words.ts'
import { dayKeyOf } from '../../lib/content/order.ts'
import { today } from '../../lib/dates/moments.ts'
import { localZone } from '../../lib/dates/zones.ts'
import { Segments } from '../../ui/segments.tsx'
import { BulkDateFields } from './date-fields.tsx'
import { BulkDialog } from './dialog.tsx'
import { BulkShiftFields } from './shift-fields.tsx'

const modes = () =>
  [
    { value: 'set', label: t`Set the date` },
    { value: 'shift', label: t({ message: 'Shift', context: 'verb', comment: 'Moves dates by an amount of time' }) },
  ] as const

/** Sets one date for all selected items, or shifts their dates by the same time. */
export function BulkDateDialog({ open, close, onClosed }: OverlayProps<void>) {
  const [items] = useState(useAtomValue(selectedItemsAtom))
  const mayEdit = useAtomValue(mayEditAtom)
  const apply = useSetAtom(applyPlanAtom)
  const [form, setForm] = useState(() => formFor(items))
  const set = (change: Partial<DateForm>) => setForm({ ...form, ...change })
  const change = dateChangeOf(form)
  const plan = typeof change === 'string' ? null : planDate(items, mayEdit, change)
  return (
    <BulkDialog
      {...{ open, close, onClosed }}
      title={t`Date`}
      description={itemsText(items)}
      preview={
        plan ? previewText(plan) : form.mode === 'shift' ? t`Say by how much to see what changes.` : t`Choose a date to see what changes.`
      }
      reason={plan ? (plan.change.length === 0 ? t`Nothing changes` : undefined) : String(change)}
      onApply={async () => {
        if (plan && typeof change !== 'string')
          await apply({ plan, change: { kind: 'date', ...change }, title: titleOf(plan, change), icon: 'calendar-today' })
      }}
    >
      <Segments label={t`Action`} hideLabel options={modes()} value={form.mode} onChange={(mode) => set({ mode })} />
      {form.mode === 'set' ? <BulkDateFields form={form} onChange={set} /> : <BulkShiftFields form={form} onChange={set} />}
    </BulkDialog>
  )
}

/** Starts with the day and time zone of the first item that has them. */
function formFor(items: readonly Item[]): DateForm {
  const first = items.find(({ date }) => date !== null)
  const day = (first && dayKeyOf(first)) ?? today()
  const [year = '', month = '1'] = day.split('-')
  return {
    ...{ mode: 'set', exact: 'day', day, time: '', month: String(Number(month)), year: String(Number(year)) },
    ...{ zone: first?.date_zone ?? localZone(), direction: 'later', days: '', hours: '', minutes: '' },
  }
}

function titleOf({ change: items, to }: Plan, change: DateChange): string {
  if (change.shift) return t`${itemsPhrase(items)} moved: ${shiftText(change.shift)}`
  return change.date === null ? t`Date removed from ${itemsPhrase(items)}` : t`${itemsPhrase(items)} moved to ${to}`
}

import { useState } from 'react'
import { t } from '#say'
import { Trans } from '#say/react'
import type { Person } from '../../../contract/people.ts'
import { type AddressLine, assignAddresses, parseAddressList } from '../../lib/members/address-list.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Textarea } from '../../ui/input.tsx'

interface AddressPasteProps {
  people: Person[]
  /** Selected people without an address, who get the addresses without a name. */
  unaddressed: Person[]
  text: string
  onText: (text: string) => void
  onFill: (emails: ReadonlyMap<string, string>) => void
}

/** Fills in addresses from a pasted list. Lines that fit nobody stay in the field. */
export function AddressPaste({ people, unaddressed, text, onText, onFill }: AddressPasteProps) {
  const [problem, setProblem] = useState<string>()
  const fill = () => {
    const { emails, rest } = assignAddresses(parseAddressList(text), people, unaddressed)
    onFill(emails)
    onText(rest.map(lineOf).join('\n'))
    setProblem(rest.length > 0 ? t`These lines fit nobody. Correct the name, or select a person for the address` : undefined)
  }
  return (
    <details className="group text-sm">
      <summary className="inline-flex min-h-9 cursor-pointer items-center gap-1.5 rounded-md text-muted hover:text-default pointer-coarse:min-h-11">
        <Icon name="chevron-right" size={18} className="transition-transform duration-(--fast) group-open:rotate-90" />
        <Trans>Paste a list of addresses</Trans>
      </summary>
      <div className="mt-2 grid gap-3">
        <Field
          label={t`Addresses`}
          hideLabel
          hint={t`One person per line, such as: Ana Silva <ana@example.org>. Addresses without a name go to the selected people, in order.`}
          error={problem}
        >
          {(control) => <Textarea {...control} value={text} onChange={(event) => onText(event.target.value)} spellCheck={false} />}
        </Field>
        <div>
          <Button size="sm" onClick={fill} disabledReason={text.trim() === '' ? t`Paste a list first` : undefined}>
            <Trans>Fill in</Trans>
          </Button>
        </div>
      </div>
    </details>
  )
}

function lineOf({ name, email }: AddressLine): string {
  return name === null ? email : `${name} <${email}>`
}

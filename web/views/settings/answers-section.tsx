import { useSetAtom } from 'jotai'
import { RadioGroup } from 'radix-ui'
import { useId } from 'react'
import { type Said, say } from '#language'
import { msg, t } from '#say'
import { Trans } from '#say/react'
import type { Collection } from '../../../contract/collections.ts'
import { type AnswerRole, may } from '../../../contract/policy.ts'
import { updateCollectionAtom } from '../../atoms/change-collections.ts'
import { addToastAtom } from '../../atoms/toasts.ts'
import { SettingsSection } from '../../components/settings-section.tsx'
import { useSetting } from '../../components/use-setting.ts'

type Choice = AnswerRole | 'nobody'

/** `rule` is for those who may not choose. */
const CHOICES: readonly { value: Choice; label: Said; hint: Said; rule: Said }[] = [
  {
    value: 'read',
    label: msg`Everyone`,
    hint: msg`All members, readers as well.`,
    rule: msg`Everyone may comment and react.`,
  },
  {
    value: 'write',
    label: msg`People who can add`,
    hint: msg`Writers, admins and the owner.`,
    rule: msg`People who can add may comment and react.`,
  },
  {
    value: 'admin',
    label: msg`Admins`,
    hint: msg`Admins and the owner.`,
    rule: msg`Admins may comment and react.`,
  },
  {
    value: 'nobody',
    label: msg`Nobody`,
    hint: msg`What was said before can still be read.`,
    rule: msg`Comments are turned off.`,
  },
]

/** Who may comment and react; admins and the owner decide. */
export function AnswersSection({ collection }: { collection: Collection }) {
  const { id, role, answers } = collection
  const update = useSetAtom(updateCollectionAtom)
  const addToast = useSetAtom(addToastAtom)
  const name = useId()
  const saved = answers ?? 'nobody'
  const [chosen, choose] = useSetting<Choice>(saved, async (next) => {
    await update(id, { answers: next === 'nobody' ? null : next })
    addToast({ title: t`Saved`, color: 'success', icon: 'check-circle' })
  })
  const rule = CHOICES.find((choice) => choice.value === saved)?.rule
  const mayChange = may(role, 'collection.edit')
  return (
    <SettingsSection
      title={t`Comments`}
      description={
        mayChange ? t`Under photos, files and posts of this collection.` : t`Admins and the owner decide who may comment and react.`
      }
    >
      {mayChange ? (
        <div className="grid gap-2">
          <span id={name} className="text-sm font-medium">
            <Trans>Who may comment and react</Trans>
          </span>
          <RadioGroup.Root
            aria-labelledby={name}
            value={chosen}
            // Radix passes one of the values below.
            onValueChange={(next) => choose(next as Choice)}
            className="divide-y overflow-hidden rounded-lg border"
          >
            {CHOICES.map((choice) => (
              <label
                key={choice.value}
                htmlFor={`${name}-${choice.value}`}
                className="flex items-start gap-3 px-4 py-3 has-data-[state=checked]:bg-accent-faint"
              >
                <RadioGroup.Item
                  id={`${name}-${choice.value}`}
                  value={choice.value}
                  className="mt-0.5 grid size-5 shrink-0 place-items-center rounded-full border border-control bg-page data-[state=checked]:border-accent data-[state=checked]:bg-accent"
                >
                  <RadioGroup.Indicator className="size-2 rounded-full bg-(--on-accent)" />
                </RadioGroup.Item>
                <span className="text-sm">
                  <span className="block font-medium">{say(choice.label)}</span>
                  <span className="block text-muted">{say(choice.hint)}</span>
                </span>
              </label>
            ))}
          </RadioGroup.Root>
        </div>
      ) : (
        <p className="text-sm">{rule && say(rule)}</p>
      )}
    </SettingsSection>
  )
}

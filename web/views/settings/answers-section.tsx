import { useSetAtom } from 'jotai'
import { type Said, say } from '#language'
import { msg, t } from '#say'
import type { Collection } from '../../../contract/collections.ts'
import { type AnswerRole, may } from '../../../contract/policy.ts'
import { updateCollectionAtom } from '../../atoms/change-collections.ts'
import { addToastAtom } from '../../atoms/toasts.ts'
import { SettingsSection } from '../../components/settings-section.tsx'
import { useSetting } from '../../components/use-setting.ts'
import { RadioList } from '../../ui/radio-list.tsx'

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
        <RadioList
          label={t`Who may comment and react`}
          value={chosen}
          onChange={choose}
          options={CHOICES.map(({ value, label, hint }) => ({ value, label: say(label), hint: say(hint) }))}
        />
      ) : (
        <p className="text-sm">{rule && say(rule)}</p>
      )}
    </SettingsSection>
  )
}

import { useAtomValue, useSetAtom } from 'jotai'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { t } from '#say'
import { Trans } from '#say/react'
import { socialSignIn } from '../../../contract/auth.ts'
import { confirmIdentityAtom } from '../../atoms/account.ts'
import type { OverlayProps } from '../../atoms/overlays.ts'
import { sessionUserAtom } from '../../atoms/session.ts'
import { signInWaysAtom } from '../../atoms/sign-in-ways.ts'
import { urlOf } from '../../lib/api.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { FormDialog } from '../overlays/form-dialog.tsx'
import { useSubmit } from '../overlays/use-submit.ts'
import { HiddenUsername, PasswordField } from './auth-form.tsx'

/** Confirms the user's identity before actions that must not be possible on an unattended device. Resolves to true on success. */
export function ReauthenticationDialog(props: OverlayProps<boolean>) {
  const { password, social } = useAtomValue(signInWaysAtom)
  return password ? <PasswordReauthentication {...props} /> : <SignInReauthentication {...props} way={social[0] ?? ''} />
}

function PasswordReauthentication({ open, close, onClosed }: OverlayProps<boolean>) {
  const [password, setPassword] = useState('')
  const user = useAtomValue(sessionUserAtom)
  const confirm = useSetAtom(confirmIdentityAtom)
  const form = useSubmit(async () => {
    await confirm(password)
    close(true)
  })
  return (
    <FormDialog
      form={form}
      open={open}
      onCancel={() => close(false)}
      onClosed={onClosed}
      size="sm"
      title={t`Confirm it’s you`}
      description={t`You signed in a while ago. Enter your password to continue.`}
      action={<Trans>Continue</Trans>}
    >
      <HiddenUsername email={user?.email} />
      <PasswordField name="password" autoFocus required value={password} onChange={setPassword} error={form.fields.password} />
    </FormDialog>
  )
}

function SignInReauthentication({ open, close, onClosed, way }: OverlayProps<boolean> & { way: string }) {
  const { pathname, search, hash } = useLocation()
  const address = urlOf(socialSignIn.path, { params: { provider: way }, query: { returnTo: pathname + search + hash } })
  return (
    <Dialog
      open={open}
      onClose={() => close(false)}
      onClosed={onClosed}
      size="sm"
      title={t`Confirm it’s you`}
      description={t`You signed in a while ago. Sign in again, then repeat the action.`}
      footer={
        <>
          <Button onClick={() => close(false)}>
            <Trans>Cancel</Trans>
          </Button>
          <Button variant="primary" onClick={() => location.assign(address)}>
            <Trans>Sign in again</Trans>
          </Button>
        </>
      }
    />
  )
}

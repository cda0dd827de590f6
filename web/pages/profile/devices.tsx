import { useAtomValue, useSetAtom } from 'jotai'
import { useCallback, useEffect, useRef, useState } from 'react'
import type { Device } from '../../../contract/account.ts'
import { devicesAtom, endDeviceAtom, fetchDevicesAtom, needsReauthentication } from '../../atoms/account.ts'
import { dateSettingsKeyAtom } from '../../atoms/profile.ts'
import { addToastAtom } from '../../atoms/toasts.ts'
import { useConfirm } from '../../components/overlays/confirm-dialog.tsx'
import { useAct } from '../../components/overlays/use-act.ts'
import { useReauthentication } from '../../components/session/use-reauthentication.ts'
import { ROW, ROWS } from '../../components/settings-section.tsx'
import { focusBeside } from '../../components/site/focus-beside.ts'
import { agentText } from '../../lib/agent-text.ts'
import { dayHere } from '../../lib/dates/moments.ts'
import { formatDay } from '../../lib/dates/text.ts'
import { messageOf } from '../../lib/message-of.ts'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Notice, Skeleton } from '../../ui/states.tsx'

/** The user's sessions. A sign-in service may list them only after a recent sign-in. */
export function Devices() {
  const devices = useAtomValue(devicesAtom)
  const fetchDevices = useSetAtom(fetchDevicesAtom)
  const [failure, setFailure] = useState<unknown>(null)
  const withReauthentication = useReauthentication()
  const load = useCallback(() => {
    setFailure(null)
    fetchDevices().catch(setFailure)
  }, [fetchDevices])
  useEffect(load, [load])
  if (failure !== null && needsReauthentication(failure)) {
    return (
      <Button icon="lock" onClick={() => void withReauthentication(() => fetchDevices().then(() => setFailure(null))).catch(setFailure)}>
        Show my devices
      </Button>
    )
  }
  if (failure !== null) {
    return (
      <Notice
        tone="warning"
        action={
          <Button size="sm" onClick={load}>
            Try again
          </Button>
        }
      >
        {messageOf(failure)}
      </Notice>
    )
  }
  if (!devices) return <Skeleton className="h-32" />
  return <DeviceList devices={devices} />
}

function DeviceList({ devices }: { devices: Device[] }) {
  // Rendered again when the reader changes how dates are written.
  useAtomValue(dateSettingsKeyAtom)
  const end = useSetAtom(endDeviceAtom)
  const addToast = useSetAtom(addToastAtom)
  const act = useAct()
  const confirm = useConfirm()
  const list = useRef<HTMLUListElement>(null)
  const others = devices.filter(({ current }) => !current)
  const endOne = async ({ id, agent }: Device, row: Element | null) => {
    const goBeside = focusBeside(row)
    if (!(await act(() => end(id)))) return
    addToast({ title: `${agentText(agent)} has been signed out`, icon: 'check-circle' })
    goBeside()
  }
  const endAll = async () => {
    const sure = await confirm({
      title: 'Sign out everywhere else?',
      description: `${others.length === 1 ? 'One other device is' : `${others.length} other devices are`} signed out within a quarter of an hour.`,
      confirm: 'Sign out everywhere else',
      danger: true,
    })
    const goBeside = focusBeside(list.current)
    if (!sure || !(await act(() => end(null)))) return
    addToast({ title: 'You have been signed out everywhere else', icon: 'check-circle' })
    goBeside()
  }
  return (
    <div className="grid justify-items-start gap-4">
      <ul ref={list} className={`${ROWS} w-full`} aria-label="Devices">
        {devices.map((device) => (
          <li key={device.id} className={ROW}>
            <Icon name={'computer'} size={22} className="text-(--text-muted)" />
            <div className="min-w-0 flex-1 basis-40">
              <p className="truncate font-medium">{agentText(device.agent)}</p>
              <p className="text-sm text-muted">
                {device.current ? 'This device' : `Last used ${formatDay(dayHere(device.used_at), 'short')}`} · signed in{' '}
                {formatDay(dayHere(device.created_at), 'short')}
              </p>
            </div>
            {!device.current && (
              <Button
                size="sm"
                aria-label={`Sign out ${agentText(device.agent)}`}
                onClick={({ currentTarget }) => void endOne(device, currentTarget.closest('li'))}
              >
                Sign out
              </Button>
            )}
          </li>
        ))}
      </ul>
      {others.length > 1 && <Button onClick={() => void endAll()}>Sign out everywhere else</Button>}
    </div>
  )
}

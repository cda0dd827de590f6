import { useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'
import type { Person } from '../../contract/people.ts'
import { selectedCollectionAtom } from '../atoms/collections.ts'
import { peopleAtom } from '../atoms/filters.ts'
import { fetchCircleAtom } from '../atoms/members.ts'

/** The people of the open collection, fetched when they are first needed. */
export function usePeople(wanted = true): Person[] {
  const collection = useAtomValue(selectedCollectionAtom)
  const people = useAtomValue(peopleAtom)
  const fetchCircle = useSetAtom(fetchCircleAtom)
  const [id, role] = [collection?.id, collection?.role]
  const missing = wanted && people === null
  useEffect(() => {
    if (id && role && missing) void fetchCircle(id, role)
  }, [id, role, missing, fetchCircle])
  return people ?? []
}

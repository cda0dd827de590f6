/** Prints one line per step, with its duration. */
export async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now()
  try {
    const result = await work()
    console.log(`✓ ${name.padEnd(10)} ready in ${seconds(performance.now() - start)}`)
    return result
  } catch (error) {
    if (!(error instanceof Error && error.name === 'AbortError')) console.log(`✗ ${name.padEnd(10)} failed`)
    throw error
  }
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}

declare global {
  /** By path, what public/first-paint.js asked the server for before the app's own code was there. */
  var earlyAnswers: Record<string, Promise<Response>> | undefined
}

/** The answer that is on its way already, for whoever asks first. */
export function takeEarlyAnswer(path: string): Promise<Response> | undefined {
  const answer = globalThis.earlyAnswers?.[path]
  delete globalThis.earlyAnswers?.[path]
  return answer
}

/** Somebody else may be signed in from now on. */
export function dropEarlyAnswers(): void {
  globalThis.earlyAnswers = {}
}

import { ApiError } from '../../lib/api.ts'

/** To be thrown by the action when a field cannot be sent as it is. */
export function invalidField(name: string, message: string): ApiError {
  return new ApiError('invalid', message, { status: 400, fields: { [name]: message } })
}

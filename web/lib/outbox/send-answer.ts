import { createAssetComment, createPostComment, deleteComment, updateComment } from '../../../contract/comments.ts'
import {
  addAssetReaction,
  addCommentReaction,
  addPostReaction,
  removeAssetReaction,
  removeCommentReaction,
  removePostReaction,
} from '../../../contract/reactions.ts'
import { ApiError, call } from '../api.ts'
import type { AnswerAction, SendResult } from './types.ts'

type React = Extract<AnswerAction, { kind: 'react' }>

/** Sends a comment, a change of one, or a reaction. All of them have the same effect twice as once. Throws ApiError. */
export async function sendAnswer(action: AnswerAction, collectionId: string): Promise<SendResult> {
  switch (action.kind) {
    case 'comment': {
      const create = action.item.kind === 'post' ? createPostComment : createAssetComment
      const { comment } = await call(create, { params: { id: action.item.id }, body: action.comment })
      return { changeId: null, comment }
    }
    case 'editComment': {
      const headers = action.version === null ? {} : { headers: { 'if-match': String(action.version) } }
      const { comment } = await call(updateComment, { params: { id: action.id }, body: action.to, ...headers })
      return { changeId: null, comment }
    }
    case 'deleteComment':
      return call(deleteComment, { params: { id: action.id } }).then(
        ({ changeId }) => ({ changeId }),
        (error: unknown) => {
          if (error instanceof ApiError && error.code === 'not_found') return { changeId: null }
          throw error
        },
      )
    case 'react':
      return { changeId: null, reactions: (await sendReaction(action, collectionId)).reactions }
  }
}

function sendReaction({ item, commentId, emoji, on }: React, collection_id: string) {
  if (commentId) return call(on ? addCommentReaction : removeCommentReaction, { params: { id: commentId, emoji } })
  const options = { params: { id: item.id, emoji }, query: { collection_id } }
  if (item.kind === 'post') return call(on ? addPostReaction : removePostReaction, options)
  return call(on ? addAssetReaction : removeAssetReaction, options)
}

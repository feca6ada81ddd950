// The id of a form, and the result of the change that it makes.

/** The form's UUID. A form that is sent twice makes one change. */
export type FormId = string

/** The result of a change: `done`, or a sentence that says why nothing was changed. */
export type ChangeResult<T> =
  | { readonly done: true; readonly value: T }
  | { readonly done: false; readonly why: string }

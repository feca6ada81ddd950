import { Command, InvalidArgumentError } from 'commander'
import { redeliverDropped, redeliverEvent } from '../../webhooks/redeliver.ts'
import { uuid } from '../arguments.ts'
import { CommandFailure, print } from '../print.ts'
import { withDatabase } from '../with-database.ts'

const EVENT_ID = /^evt_[0-9A-HJKMNP-TV-Z]{26}$/

export function redeliverCommand(): Command {
  return new Command('redeliver')
    .description(
      'Send an event again to each webhook it was for, delivered or not; or, given a webhook, all events that were ' +
        'dropped for it. Each gets up to three further attempts, under the same webhook-id.',
    )
    .argument('<id>', 'id of an event, or of a webhook', eventOrWebhook)
    .addHelpText(
      'after',
      `
Events are kept for 30 days. Nothing is sent to webhooks that are revoked. A server sends them; if none runs, the next one
does.

Examples:
  lotline webhooks redeliver evt_01M7WSV2C4E6G8J0K2M4N6P8Q0
  lotline webhooks redeliver WEBHOOK`,
    )
    .action(async (id: string, _options: object, command: Command) => {
      const isEvent = EVENT_ID.test(id)
      const count = await withDatabase((database) =>
        isEvent ? redeliverEvent(database, id) : redeliverDropped(database, id),
      )
      if (count === 0) {
        throw new CommandFailure(
          isEvent
            ? `There is no event ${id} that could be sent again: it is unknown or no longer kept, its webhooks are revoked, or it is being sent now.`
            : `Nothing was dropped for a live webhook ${id}.`,
        )
      }
      const what = isEvent ? (count === 1 ? 'webhook' : 'webhooks') : count === 1 ? 'event' : 'events'
      print(command, { id, redelivered: count }, [
        isEvent ? `Sending ${id} again to ${count} ${what}.` : `Sending ${count} ${what} again to ${id}.`,
      ])
    })
}

function eventOrWebhook(text: string): string {
  if (EVENT_ID.test(text)) return text
  try {
    return uuid(text)
  } catch {
    throw new InvalidArgumentError(
      'It takes the id of an event (evt_ and 26 characters, as deliveries show it) or of a webhook.',
    )
  }
}

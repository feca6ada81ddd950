// `since`: the moment from which on entries are wanted.

/** The parts of what the contract lets through: date, hours and minutes, seconds, and the offset unless it is Z. */
const TIMESTAMP_PARTS = /^(.{10}).(..:..):([\d.]+)(?:[Zz]|([+-])(\d\d):(\d\d))$/

/**
 * Seconds since 1970. A number and no text, because PostgreSQL knows neither a year 0 nor offsets of 16 hours, and RFC
 * 3339 has both; a leap second is the second that follows it.
 *
 * @param text has been found valid
 */
export function readSince(text: string): number {
  const [, date, time, seconds, sign, hours, minutes] = TIMESTAMP_PARTS.exec(text)!
  const ahead = sign ? Number(`${sign}1`) * (Number(hours) * 3600 + Number(minutes) * 60) : 0
  return Date.parse(`${date}T${time}Z`) / 1000 + Number(seconds) - ahead
}

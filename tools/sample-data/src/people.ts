import { isoInstant } from '@lotline/sample/calendar'
import type { Home } from './home.ts'
import type { Metro } from './metros.ts'
import { brokerages, givenNames, surnames } from './names.ts'
import type { AttributionInfo } from './property.ts'
import { type Random, randomFor } from './random.ts'

/** Who offers a home. Everybody here is invented, and each area's agents offer many of its homes. */
export interface Agent {
  name: string
  email: string
  phoneNumber: string
  licenseNumber: string
  brokerName: string
  brokerPhoneNumber: string
}

const AGENTS_PER_METRO = 30

export function mlsNameOf(metro: Metro): string {
  return `${metro.name} Sample Listing Exchange`
}

/** The listing agent; undefined off the market, where an owner sells, and for half of the rentals. */
export function findAgent(home: Home): Agent | undefined {
  const random = randomFor(home.zpid, 'agent')
  const { status, isByOwner } = home.offer
  if (status === 'OTHER' || isByOwner) return undefined
  if (status === 'FOR_RENT' && random.chance(0.5)) return undefined
  return agentOf(home.place.metro, random.int(1, AGENTS_PER_METRO))
}

function agentOf(metro: Metro, number: number): Agent {
  const random = randomFor('agent', metro.name, number)
  const given = random.pick(givenNames)
  const family = random.pick(surnames)
  const office = random.int(0, brokerages.length - 1)
  return {
    name: `${given} ${family}`,
    email: `${given}.${family}@example.com`.toLowerCase(),
    phoneNumber: fictionPhone(metro, random.int(0, 99)),
    licenseNumber: `${metro.state}-${random.int(100_000, 999_999)}`,
    brokerName: brokerages[office]!,
    brokerPhoneNumber: fictionPhone(metro, office),
  }
}

/** 555-0100 to 555-0199 are kept free for fiction in every area code. */
export function fictionPhone(metro: Metro, line: number): string {
  return `${metro.areaCode}-555-01${String(line % 100).padStart(2, '0')}`
}

/** The person who answers for a rental or an owner's sale, by name only. */
export function ownerName(random: Random): string {
  return `${random.pick(givenNames)} ${random.pick(surnames)}`
}

/** The credits that a listing has to show; null off the market, mostly empty where no agent is. */
export function attributionOf(home: Home, agent: Agent | undefined, asOf: number): AttributionInfo | null {
  const { status, pendingDaysAgo } = home.offer
  if (status === 'OTHER') return null
  const random = randomFor(home.zpid, 'attribution')
  const buyer =
    status === 'RECENTLY_SOLD' ? agentOf(home.place.metro, random.int(1, AGENTS_PER_METRO)) : undefined
  const mlsName = mlsNameOf(home.place.metro)
  const checked = isoInstant(asOf - random.int(1, 6) * 3_600_000)
  return {
    agentName: agent?.name ?? null,
    agentEmail: agent && random.chance(0.7) ? agent.email : null,
    agentPhoneNumber: agent && random.chance(0.9) ? agent.phoneNumber : null,
    agentLicenseNumber: agent && random.chance(0.6) ? agent.licenseNumber : null,
    brokerName: agent?.brokerName ?? null,
    brokerPhoneNumber: agent && random.chance(0.8) ? agent.brokerPhoneNumber : null,
    buyerAgentName: buyer?.name ?? null,
    buyerBrokerageName: buyer?.brokerName ?? null,
    coAgentName: agent && random.chance(0.1) ? ownerName(random) : null,
    listingAgreement: agent ? 'Exclusive Right To Sell' : null,
    listingAgents: agent
      ? [
          {
            associatedAgentType: 'listAgent',
            memberFullName: agent.name,
            memberStateLicense: agent.licenseNumber,
          },
        ]
      : [],
    listingOffices: agent ? [{ associatedOfficeType: 'listOffice', officeName: agent.brokerName }] : [],
    mlsId: agent ? mlsIdOf(home) : null,
    mlsName: agent ? mlsName : null,
    mlsDisclaimer: agent ? `Invented sample data. ${mlsName} does not exist.` : null,
    lastChecked: checked,
    lastUpdated: checked,
    trueStatus: pendingDaysAgo !== null && status === 'PENDING' ? 'Pending' : null,
  }
}

export function mlsIdOf(home: Home): string {
  return String(randomFor(home.zpid, 'mls').int(1_000_000, 9_999_999))
}

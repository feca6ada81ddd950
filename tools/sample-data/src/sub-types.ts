import type { Home } from './home.ts'

/** What kind of listing it is, as flags, in the spelling of the record and in that of search rows. */
export function subTypesOf({ offer, features }: Home, isOpenHouse: boolean) {
  const isActive = offer.status === 'FOR_SALE'
  const is = {
    bankOwned: offer.isForeclosure && !offer.isAuction,
    comingSoon: offer.status === 'COMING_SOON',
    byAgent: isActive && !offer.isByOwner,
    byOwner: isActive && offer.isByOwner,
    forAuction: offer.isAuction,
    foreclosure: offer.isForeclosure,
    newHome: isActive && features.isNewConstruction,
    pending: offer.status === 'PENDING',
  }
  return {
    listingSubType: {
      isBankOwned: is.bankOwned,
      isComingSoon: is.comingSoon,
      isFSBA: is.byAgent,
      isFSBO: is.byOwner,
      isForAuction: is.forAuction,
      isForeclosure: is.foreclosure,
      isNewHome: is.newHome,
      isOpenHouse,
      isPending: is.pending,
    },
    listing_sub_type: {
      is_bankOwned: is.bankOwned,
      is_comingSoon: is.comingSoon,
      is_FSBA: is.byAgent,
      is_FSBO: is.byOwner,
      is_forAuction: is.forAuction,
      is_foreclosure: is.foreclosure,
      is_newHome: is.newHome,
      is_openHouse: isOpenHouse,
      is_pending: is.pending,
    },
  }
}

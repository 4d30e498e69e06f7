/** The places that runs can happen at, by their whereabouts: one line for each kind. */
import type { Place } from "../experiment/laboratory.js";
import type { Whereabouts } from "../experiment/whereabouts.js";
import { vmPlace } from "./vm/vm-place.js";

const makePlace = (where: Whereabouts): Place => vmPlace(where);

const made = new Map<string, Place>();

/** The place with these whereabouts, always the same one. */
export const placeOf = (where: Whereabouts): Place => {
  const key = JSON.stringify(where);
  const place = made.get(key) ?? makePlace(where);
  made.set(key, place);
  return place;
};

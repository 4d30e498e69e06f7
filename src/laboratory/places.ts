/** The places that runs can happen at, by their whereabouts: one line for each kind. */
import { UserError } from "../errors.js";
import type { Place } from "../experiment/laboratory.js";
import type { Whereabouts } from "../experiment/whereabouts.js";

const makePlace = (where: Whereabouts): Place => {
  switch (where.kind) {
    case "vm":
      throw new UserError("virtual machines are not there yet");
  }
};

const made = new Map<string, Place>();

/** The place with these whereabouts, always the same one. */
export const placeOf = (where: Whereabouts): Place => {
  const key = JSON.stringify(where);
  const place = made.get(key) ?? makePlace(where);
  made.set(key, place);
  return place;
};

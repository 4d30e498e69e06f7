/** The places that runs can happen at, by their whereabouts: one line for each kind. */
import type { Keeping, Place } from "../experiment/laboratory.js";
import type { Whereabouts } from "../experiment/whereabouts.js";
import { UserError } from "../errors.js";
import { rebootPlace, type RebootWorld } from "./reboot/reboot-place.js";
import { vmPlace } from "./vm/vm-place.js";

const storeOf = ({ store }: Keeping): string => {
  if (store === null)
    throw new UserError("a machine that boots keeps nothing but files: there is no store", "Name one with -o FILE.");
  return store;
};

/** The place with these whereabouts, always the same one. */
export type PlaceOf = (where: Whereabouts, keeping?: Keeping) => Place;

/** All places of a machine. */
export const placesOn = (world: RebootWorld): PlaceOf => {
  const make = (where: Whereabouts, keeping: Keeping): Place =>
    where.kind === "vm" ? vmPlace(where) : rebootPlace(where, storeOf(keeping), world);
  const made = new Map<string, Place>();
  return (where, keeping = { store: null }) => {
    const key = JSON.stringify([where, keeping]);
    const place = made.get(key) ?? make(where, keeping);
    made.set(key, place);
    return place;
  };
};

/** The numbers that stored results are made of: what each kind of number may be. */
import { z } from "zod";

const LONGEST_SEC = 1e10;

/** How many: a whole number from 0. */
export const count = z.number().int().nonnegative();
/** Microseconds. */
export const usec = z
  .number()
  .nonnegative()
  .max(LONGEST_SEC * 1e6);
/** Seconds since something, or how many of them: three centuries at most. */
export const sec = z.number().nonnegative().max(LONGEST_SEC);
/** A moment on the monotonic clock. */
export const nsec = z
  .number()
  .nonnegative()
  .max(LONGEST_SEC * 1e9);
/** A rate per second, a mean, or a number of what is not counted one by one. */
export const figure = z.number().nonnegative().max(1e21);
/** 0–100. */
export const percent = z.number().min(0).max(100);
/** A moment of the calendar, ISO 8601 in UTC. */
export const moment = z.iso.datetime();

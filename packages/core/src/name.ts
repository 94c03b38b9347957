import { z } from "zod";

/** What people call a session, and nothing else: `brave-otter`. */
export const nameSchema = z
  .string()
  .regex(
    /^[a-z][a-z0-9-]{1,62}$/,
    "a name has 2 to 63 characters of a-z, 0-9 and -, and starts with a letter",
  );

const adjectives =
  "able amber bold brave brisk bright calm clever cosy crisp daring eager early easy fair fast fine fond fresh gentle glad golden good grand green happy hardy honest jolly keen kind lively loyal lucky lunar merry mild misty modest neat nimble noble patient plucky polite proud quick quiet rapid ready robust royal rustic shy silent silver sleek smart snug solid steady stout sunny sure swift tidy tough true vivid warm wild wise witty young zesty".split(
    " ",
  );
const animals =
  "adder ant badger bat bear beaver bee bison bittern boar buck bull camel cat cod colt cow crab crane crow cub deer dingo dog dove duck eagle eel egret elk emu ewe falcon ferret finch fox frog gecko gibbon goat goose grouse gull hare hawk hen heron hog horse hound ibex ibis jackal jay kite koala lamb lark lemur lion llama loon lynx magpie mare marten mole moose moth mouse mule newt ocelot otter owl ox panda parrot perch pika plover pony puffin quail rabbit ram raven robin rook salmon seal shrew skink sloth snail snipe sparrow squid stag stoat stork swan tern thrush toad trout turtle viper vole wasp weasel whale wolf wren yak zebra".split(
    " ",
  );

/** How many plain pairs are tried before a number is added. */
const plainTries = 8;

/**
 * A readable name: adjective-animal, followed by a number once `refused` earlier names were taken: however many
 * sessions there are, a free one is found soon. `random` returns integers from 0 to 31.
 */
export function makeName(random: () => number, refused: number): string {
  const pick = (words: readonly string[]) =>
    words[(random() * 1024 + random() * 32 + random()) % words.length];
  const pair = `${pick(adjectives)}-${pick(animals)}`;
  return refused < plainTries ? pair : `${pair}-${refused * 32 + random()}`;
}

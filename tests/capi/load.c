/* The library loaded at run time, as games load plugins. The functions are found by name.
 *
 *   load copies FILE...   opens all files (copies of the library) in one process and uses each; two on one thread
 *   load rounds FILE N    N rounds of open, use, close; fails if the library stays, or if memory does (the caches that
 *                         the C library keeps for each thread are to be off: glibc.malloc.tcache_count=0)
 *   load queue FILE JSON  one round with a queue over the numbers a and b, and an index that is full
 */
#define _POSIX_C_SOURCE 200809L
#include "evenmatch.h"

#include <dlfcn.h>
#include <malloc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(condition)                                                                          \
  do {                                                                                             \
    if (!(condition)) {                                                                            \
      fprintf(stderr, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);                      \
      exit(1);                                                                                     \
    }                                                                                              \
  } while (0)

/* The functions of one copy that this program uses. */
typedef struct copy {
  void *library;
  evenmatch_status (*accepts)(uint32_t);
  evenmatch_status (*engine_new)(const evenmatch_engine_config *, evenmatch_engine *);
  evenmatch_status (*engine_free)(evenmatch_engine);
  evenmatch_status (*engine_tick)(evenmatch_engine, uint64_t, uint64_t, evenmatch_tick_report *);
  evenmatch_status (*queue_add)(
      evenmatch_engine, evenmatch_queue_source *, evenmatch_queue *, uint64_t, uint64_t *);
  evenmatch_status (*submit)(evenmatch_engine, uint64_t, const evenmatch_batch *, evenmatch_submitted *, uint64_t,
                             char *, uint64_t, uint64_t *);
  evenmatch_status (*resolve)(evenmatch_engine, const char *, uint64_t, evenmatch_symbol *);
  evenmatch_status (*last_error)(char *, uint64_t, uint64_t *);
} copy;

static void *function(void *library, const char *name) {
  void *found = dlsym(library, name);
  if (found == NULL) {
    fprintf(stderr, "no function %s\n", name);
    exit(1);
  }
  return found;
}

/* ISO C knows no conversion from an object's pointer to a function's. */
#define FIND(field, name)                                                                          \
  do {                                                                                             \
    void *find_ = function(copy->library, name);                                                   \
    memcpy(&copy->field, &find_, sizeof find_);                                                    \
  } while (0)

static void open_copy(copy *copy, const char *file) {
  copy->library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  if (copy->library == NULL) {
    fprintf(stderr, "%s\n", dlerror());
    exit(1);
  }
  FIND(accepts, "evenmatch_abi_accepts");
  FIND(engine_new, "evenmatch_engine_new");
  FIND(engine_free, "evenmatch_engine_free");
  FIND(engine_tick, "evenmatch_engine_tick");
  FIND(queue_add, "evenmatch_queue_add");
  FIND(submit, "evenmatch_ticket_submit");
  FIND(resolve, "evenmatch_symbol_resolve");
  FIND(last_error, "evenmatch_last_error");
  EXPECT(copy->accepts(EVENMATCH_ABI_VERSION) == EVENMATCH_OK);
}

static const char PLAIN[] = "{ \"name\": \"q\", \"players\": 2, \"timeout_s\": 60,"
                            "  \"attributes\": { \"skill\": { \"type\": \"number\", \"default\": 1 } },"
                            "  \"rules\": [{ \"name\": \"s\", \"type\": \"difference\","
                            "               \"attribute\": \"skill\", \"max\": 50 }] }";

static evenmatch_engine begin(const copy *copy, const char *json, evenmatch_queue *queue) {
  evenmatch_engine engine = 0;
  evenmatch_engine_config config = EVENMATCH_ENGINE_CONFIG_INIT;
  evenmatch_queue_source source = EVENMATCH_QUEUE_SOURCE_INIT;
  uint64_t count = 0;
  config.capacity = 2000;
  EXPECT(copy->engine_new(&config, &engine) == EVENMATCH_OK);
  source.json = json;
  source.json_bytes = strlen(json);
  EXPECT(copy->queue_add(engine, &source, queue, 1, &count) == EVENMATCH_OK);
  return engine;
}

/* Ten tickets become five matches; an error leaves its sentence. */
static void go_on(const copy *copy, evenmatch_engine engine, evenmatch_queue queue, uint64_t now) {
  evenmatch_player players[10];
  evenmatch_ticket tickets[10];
  evenmatch_submitted results[10];
  evenmatch_batch batch = EVENMATCH_BATCH_INIT;
  evenmatch_tick_report report = EVENMATCH_TICK_REPORT_INIT;
  const evenmatch_player player = EVENMATCH_PLAYER_INIT;
  const evenmatch_ticket ticket = EVENMATCH_TICKET_INIT;
  const evenmatch_submitted submitted = EVENMATCH_SUBMITTED_INIT;
  uint64_t accepted = 0, bytes = 0;
  char text[8];
  uint32_t i;
  for (i = 0; i < 10; i++) {
    players[i] = player;
    players[i].id.lo = i + 1;
    tickets[i] = ticket;
    tickets[i].queue = queue;
    tickets[i].player_first = i;
    tickets[i].player_count = 1;
  }
  results[0] = submitted;
  batch.tickets = tickets;
  batch.ticket_count = 10;
  batch.players = players;
  batch.player_count = 10;
  EXPECT(copy->submit(engine, now, &batch, results, 10, NULL, 0, &accepted) == EVENMATCH_OK);
  EXPECT(accepted == 10);
  EXPECT(copy->engine_tick(engine, now, 0, &report) == EVENMATCH_OK);
  EXPECT(report.matches == 5);
  EXPECT(copy->engine_free(0) == EVENMATCH_NOT_FOUND);
  EXPECT(copy->last_error(text, 0, &bytes) == EVENMATCH_BUFFER_TOO_SMALL && bytes > 8);
}

/* So many tickets, far apart, that an index is built; then as many that each meet one of them. */
static void fill_index(const copy *copy, evenmatch_engine engine, evenmatch_queue queue) {
  enum { MANY = 400 };
  static evenmatch_player players[MANY];
  static evenmatch_ticket tickets[MANY];
  static evenmatch_attribute attributes[2 * MANY];
  static evenmatch_submitted results[MANY];
  evenmatch_batch batch = EVENMATCH_BATCH_INIT;
  evenmatch_tick_report report = EVENMATCH_TICK_REPORT_INIT;
  const evenmatch_player player = EVENMATCH_PLAYER_INIT;
  const evenmatch_ticket ticket = EVENMATCH_TICKET_INIT;
  const evenmatch_attribute attribute = EVENMATCH_ATTRIBUTE_INIT;
  const evenmatch_submitted submitted = EVENMATCH_SUBMITTED_INIT;
  evenmatch_symbol names[2] = {0, 0};
  uint64_t accepted = 0;
  uint32_t i, round;
  EXPECT(copy->resolve(engine, "a", 1, &names[0]) == EVENMATCH_OK);
  EXPECT(copy->resolve(engine, "b", 1, &names[1]) == EVENMATCH_OK);
  for (round = 0; round < 2; round++) {
    for (i = 0; i < MANY; i++) {
      players[i] = player;
      players[i].id.lo = 1000 + round * MANY + i;
      players[i].attribute_first = 2 * i;
      players[i].attribute_count = 2;
      tickets[i] = ticket;
      tickets[i].queue = queue;
      tickets[i].player_first = i;
      tickets[i].player_count = 1;
      attributes[2 * i] = attribute;
      attributes[2 * i].name = names[0];
      attributes[2 * i].kind = EVENMATCH_ATTRIBUTE_NUMBER;
      attributes[2 * i].number = 1000.0 * (i % 20) + 10 * round;
      attributes[2 * i + 1] = attributes[2 * i];
      attributes[2 * i + 1].name = names[1];
      attributes[2 * i + 1].number = 1000.0 * (i / 20) + 5 * round;
    }
    results[0] = submitted;
    batch.tickets = tickets;
    batch.ticket_count = MANY;
    batch.players = players;
    batch.player_count = MANY;
    batch.attributes = attributes;
    batch.attribute_count = 2 * MANY;
    EXPECT(copy->submit(engine, 2, &batch, results, MANY, NULL, 0, &accepted) == EVENMATCH_OK);
    EXPECT(accepted == MANY);
    EXPECT(copy->engine_tick(engine, 2, 0, &report) == EVENMATCH_OK);
    EXPECT(report.matches == round * MANY);
  }
}

static void use(const copy *copy, const char *json) {
  evenmatch_queue queue = 0;
  evenmatch_engine engine = begin(copy, json, &queue);
  go_on(copy, engine, queue, 1);
  if (json != PLAIN) {
    fill_index(copy, engine, queue);
  }
  EXPECT(copy->engine_free(engine) == EVENMATCH_OK);
}

static int is_mapped(const char *file) {
  char line[4096];
  const char *slash = strrchr(file, '/');
  int found = 0;
  FILE *maps = fopen("/proc/self/maps", "r");
  EXPECT(maps != NULL);
  while (fgets(line, sizeof line, maps) != NULL) {
    found |= strstr(line, slash == NULL ? file : slash) != NULL;
  }
  fclose(maps);
  return found;
}

/* What the process holds: bytes that the C library has handed out and not got back, of all threads, and mappings.
 * Not what is resident: that depends on what else the machine does. */
typedef struct holdings {
  size_t bytes;
  long mappings;
} holdings;

static holdings held(void) {
  struct mallinfo2 heap = mallinfo2();
  holdings found = {heap.uordblks + heap.hblkhd, 0};
  FILE *maps = fopen("/proc/self/maps", "r");
  int letter;
  EXPECT(maps != NULL);
  while ((letter = fgetc(maps)) != EOF) {
    found.mappings += letter == '\n';
  }
  fclose(maps);
  return found;
}

/* A round on a thread of its own as well: what a thread leaves behind must not keep the library. */
static const char *threads_file;
static const char *threads_json;

static void *on_a_thread(void *library) {
  use((const copy *)library, threads_json);
  return NULL;
}

static void one_round(const char *file, const char *json) {
  copy one;
  pthread_t thread;
  open_copy(&one, file);
  use(&one, json);
  threads_json = json;
  EXPECT(pthread_create(&thread, NULL, on_a_thread, &one) == 0);
  EXPECT(pthread_join(thread, NULL) == 0);
  EXPECT(dlclose(one.library) == 0);
  if (is_mapped(file)) {
    fprintf(stderr, "the library stays in memory after dlclose\n");
    exit(1);
  }
}

int main(int count, char **arguments) {
  int i, copies = count - 2;
  EXPECT(count >= 3);
  threads_file = arguments[2];
  if (strcmp(arguments[1], "copies") == 0) {
    copy *all = calloc((size_t)copies, sizeof *all);
    evenmatch_queue first_queue = 0, second_queue = 0;
    evenmatch_engine first, second;
    EXPECT(all != NULL && copies >= 2);
    for (i = 0; i < copies; i++) {
      open_copy(&all[i], arguments[2 + i]);
    }
    for (i = 0; i < copies; i++) {
      use(&all[i], PLAIN);
    }
    /* Two engines of two copies on one thread, in turns. */
    first = begin(&all[0], PLAIN, &first_queue);
    second = begin(&all[1], PLAIN, &second_queue);
    for (i = 1; i < 10; i++) {
      go_on(&all[0], first, first_queue, (uint64_t)i);
      go_on(&all[1], second, second_queue, (uint64_t)i);
    }
    EXPECT(all[0].engine_free(first) == EVENMATCH_OK && all[1].engine_free(second) == EVENMATCH_OK);
    for (i = 0; i < copies; i++) {
      EXPECT(dlclose(all[i].library) == 0);
    }
    free(all);
  } else if (strcmp(arguments[1], "rounds") == 0) {
    /* A round that keeps anything does so each time: a block of the least size comes to 4,800 bytes. */
    enum { KEPT_BYTES = 1024, KEPT_MAPPINGS = 8 };
    long rounds = strtol(arguments[3], NULL, 10), at;
    holdings before = {0, 0}, after;
    for (at = 0; at < rounds; at++) {
      if (at == rounds / 4) {
        before = held();
      }
      one_round(threads_file, PLAIN);
    }
    after = held();
    if (after.bytes > before.bytes + KEPT_BYTES || after.mappings > before.mappings + KEPT_MAPPINGS) {
      fprintf(stderr, "held after a quarter of %ld rounds: %zu bytes and %ld mappings; at the end: %zu and %ld\n", rounds,
              before.bytes, before.mappings, after.bytes, after.mappings);
      return 1;
    }
  } else {
    one_round(threads_file, arguments[3]);
  }
  return 0;
}

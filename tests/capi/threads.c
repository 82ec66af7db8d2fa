/* Threads: an engine freed while others are in calls; ends at once without a free; nothing runs on after one; a second
 * thread where there may be one.
 *
 *   threads free    submits, cancels, ticks and polls on four threads while the engine is freed, again and again
 *   threads wait    a free waits for a caller that is inside
 *   threads crew    an engine has the threads that it was asked for, and none after a close or a free; a lent thread
 *   threads busy    what one thread at a time may do is refused to a second one: tick, explain, record
 *   threads exit    main returns while threads tick and no engine was freed
 */
#define _POSIX_C_SOURCE 200809L
#include "evenmatch_debug.h"
#include "expect.h"

#include <dirent.h>
#include <pthread.h>
#include <time.h>

static evenmatch_engine engine;
static evenmatch_queue queue;

static void is_one_of(evenmatch_status status, evenmatch_status a, evenmatch_status b) {
  if (status != EVENMATCH_OK && status != a && status != b && status != EVENMATCH_ENGINE_CLOSED) {
    fprintf(stderr, "unexpected: %s\n", evenmatch_status_text(status));
    exit(1);
  }
}

static void *submitter(void *argument) {
  uint64_t player = (uint64_t)(uintptr_t)argument << 32, now = 0;
  for (;;) {
    evenmatch_player one = EVENMATCH_PLAYER_INIT;
    evenmatch_ticket ticket = EVENMATCH_TICKET_INIT;
    evenmatch_batch batch = EVENMATCH_BATCH_INIT;
    evenmatch_submitted result = EVENMATCH_SUBMITTED_INIT;
    evenmatch_status status;
    one.id.lo = ++player;
    ticket.queue = queue;
    ticket.player_count = 1;
    batch.tickets = &ticket;
    batch.ticket_count = 1;
    batch.players = &one;
    batch.player_count = 1;
    status = evenmatch_ticket_submit(engine, ++now, &batch, &result, 1, NULL, 0, NULL);
    is_one_of(status, EVENMATCH_NOT_FOUND, EVENMATCH_NOT_FOUND);
    if (status != EVENMATCH_OK) {
      return NULL;
    }
    if (player % 3 == 0) {
      is_one_of(evenmatch_ticket_cancel(engine, now, result.ticket, NULL), EVENMATCH_NOT_FOUND, EVENMATCH_ALREADY_MATCHED);
    }
  }
}

static void *ticker(void *argument) {
  static room rooms[2];
  room *events = &rooms[(uintptr_t)argument];
  uint64_t now = 0;
  for (;;) {
    evenmatch_status status = evenmatch_engine_tick(engine, ++now, 0, NULL);
    is_one_of(status, EVENMATCH_NOT_FOUND, EVENMATCH_BUSY);
    clear_room(events);
    is_one_of(evenmatch_event_poll(engine, &events->buffers), EVENMATCH_NOT_FOUND, EVENMATCH_BUSY);
    if (status == EVENMATCH_NOT_FOUND || status == EVENMATCH_ENGINE_CLOSED) {
      return NULL;
    }
  }
}

static void *helper(void *argument) {
  uint32_t did = 9;
  (void)argument;
  while (evenmatch_engine_help(engine, &did) == EVENMATCH_OK) {
    EXPECT(did == 0);
  }
  return NULL;
}

/* Texts of the crowd below, for one thread each. */
enum { CROWD = 2000, TEXT_BYTES = 4 << 20 };
static char texts[2][TEXT_BYTES];
static evenmatch_ticket_id waiting[2];
static int done_part[2];

static void *asker(void *argument) {
  (void)argument;
  while (!__atomic_load_n(&done_part[0], __ATOMIC_RELAXED)) {
    uint64_t bytes = 0;
    evenmatch_status status = evenmatch_ticket_explain(engine, waiting[0], 9, NULL, texts[1], TEXT_BYTES, &bytes);
    is_one_of(status, EVENMATCH_BUSY, EVENMATCH_BUSY);
  }
  return NULL;
}

/* Has more to be copied at each call than can be, and so stays inside and takes nothing out. */
static void *poller(void *argument) {
  (void)argument;
  while (!__atomic_load_n(&done_part[1], __ATOMIC_RELAXED)) {
    uint64_t bytes = 0;
    evenmatch_status status = evenmatch_record_poll(engine, NULL, NULL, TEXT_BYTES, &bytes, NULL);
    is_one_of(status, EVENMATCH_NULL_POINTER, EVENMATCH_BUSY);
  }
  return NULL;
}

/* Until it meets the other thread, however the two are scheduled. What it is answered until then is right as well. */
#define EXPECT_BUSY_ONCE(call)                                                                     \
  do {                                                                                             \
    evenmatch_status busy_found_;                                                                  \
    do {                                                                                           \
      busy_found_ = (call);                                                                        \
      is_one_of(busy_found_, EVENMATCH_BUSY, EVENMATCH_BUSY);                                      \
    } while (busy_found_ != EVENMATCH_BUSY);                                                       \
  } while (0)

/* A crowd of which no two can be matched, and its record. */
static void crowd(void) {
  const char *strangers = "{ \"name\": \"strangers\", \"players\": 2, \"timeout_s\": 60,"
                          "  \"attributes\": { \"side\": { \"type\": \"number\" } },"
                          "  \"rules\": [{ \"name\": \"side\", \"type\": \"difference\","
                          "               \"attribute\": \"side\", \"max\": 1 }] }";
  evenmatch_symbol side;
  uint64_t i;
  engine = new_engine(EVENMATCH_ENGINE_RECORD, CROWD);
  queue = add_queue(engine, strangers);
  side = symbol(engine, "side");
  for (i = 0; i < CROWD; i++) {
    evenmatch_attribute attribute = EVENMATCH_ATTRIBUTE_INIT;
    evenmatch_player player = EVENMATCH_PLAYER_INIT;
    evenmatch_ticket ticket = EVENMATCH_TICKET_INIT;
    evenmatch_batch batch = EVENMATCH_BATCH_INIT;
    evenmatch_submitted result = EVENMATCH_SUBMITTED_INIT;
    attribute.name = side;
    attribute.kind = EVENMATCH_ATTRIBUTE_NUMBER;
    attribute.number = 10 * (double)i;
    player.id.lo = i + 1;
    player.attribute_count = 1;
    ticket.queue = queue;
    ticket.player_count = 1;
    batch.tickets = &ticket;
    batch.ticket_count = 1;
    batch.players = &player;
    batch.player_count = 1;
    batch.attributes = &attribute;
    batch.attribute_count = 1;
    EXPECT_OK(evenmatch_ticket_submit(engine, 0, &batch, &result, 1, NULL, 0, NULL));
    EXPECT_OK(result.status);
    waiting[i % 2] = result.ticket;
  }
  EXPECT_OK(evenmatch_engine_tick(engine, 1, 0, NULL));
}

static void busy(void) {
  pthread_t other;
  uint64_t bytes = 0, lines = 0;
  crowd();
  EXPECT(pthread_create(&other, NULL, asker, NULL) == 0);
  EXPECT_BUSY_ONCE(evenmatch_ticket_explain(engine, waiting[1], 9, NULL, texts[0], TEXT_BYTES, &bytes));
  EXPECT_BUSY_ONCE(evenmatch_pair_explain(engine, waiting[0], waiting[1], NULL, texts[0], TEXT_BYTES, &bytes));
  EXPECT_BUSY_ONCE(evenmatch_engine_tick(engine, 1, 0, NULL));
  /* The record is no business of whoever explains. */
  EXPECT_STATUS(evenmatch_record_poll(engine, NULL, NULL, 0, &bytes, &lines), EVENMATCH_BUFFER_TOO_SMALL);
  __atomic_store_n(&done_part[0], 1, __ATOMIC_RELAXED);
  EXPECT(pthread_join(other, NULL) == 0);
  EXPECT_OK(evenmatch_ticket_explain(engine, waiting[1], 9, NULL, texts[0], TEXT_BYTES, &bytes));

  EXPECT(pthread_create(&other, NULL, poller, NULL) == 0);
  {
    evenmatch_status status;
    do {
      status = evenmatch_record_poll(engine, NULL, NULL, 0, &bytes, &lines);
      EXPECT(status == EVENMATCH_BUSY || (status == EVENMATCH_BUFFER_TOO_SMALL && bytes > 0));
    } while (status != EVENMATCH_BUSY);
  }
  __atomic_store_n(&done_part[1], 1, __ATOMIC_RELAXED);
  EXPECT(pthread_join(other, NULL) == 0);
  /* Nothing was lost by it: a line for each ticket, and the tick's. */
  EXPECT_OK(evenmatch_record_poll(engine, NULL, texts[0], TEXT_BYTES, &bytes, &lines));
  EXPECT(lines > CROWD && bytes == strlen(texts[0]));
  EXPECT_OK(evenmatch_record_poll(engine, NULL, texts[0], TEXT_BYTES, &bytes, &lines));
  EXPECT(lines == 0 && bytes == 0);
  EXPECT_OK(evenmatch_engine_free(engine));
}

static struct timespec entered;

static void *stayer(void *argument) {
  (void)argument;
  clock_gettime(CLOCK_MONOTONIC, &entered);
  return (void *)(uintptr_t)(evenmatch_debug_stay(engine, 300) == EVENMATCH_OK);
}

static void pause_ms(long span) {
  struct timespec time = {0, 0};
  time.tv_nsec = span * 1000000L;
  nanosleep(&time, NULL);
}

static int thread_count(void) {
  int count = 0;
  DIR *tasks = opendir("/proc/self/task");
  EXPECT(tasks != NULL);
  while (readdir(tasks) != NULL) {
    count++;
  }
  closedir(tasks);
  return count - 2;
}

static void start(pthread_t *threads) {
  engine = new_engine(0, 5000);
  queue = add_queue(engine, DUEL);
  EXPECT(pthread_create(&threads[0], NULL, submitter, (void *)(uintptr_t)1) == 0);
  EXPECT(pthread_create(&threads[1], NULL, submitter, (void *)(uintptr_t)2) == 0);
  EXPECT(pthread_create(&threads[2], NULL, ticker, (void *)(uintptr_t)0) == 0);
  EXPECT(pthread_create(&threads[3], NULL, ticker, (void *)(uintptr_t)1) == 0);
}

int main(int count, char **arguments) {
  pthread_t threads[4];
  int round, i;
  EXPECT(count == 2);
  if (strcmp(arguments[1], "free") == 0) {
    for (round = 0; round < 20; round++) {
      start(threads);
      pause_ms(10 + round);
      EXPECT_OK(evenmatch_engine_free(engine));
      EXPECT_STATUS(evenmatch_engine_free(engine), EVENMATCH_NOT_FOUND);
      for (i = 0; i < 4; i++) {
        EXPECT(pthread_join(threads[i], NULL) == 0);
      }
      /* The kernel may list a thread that has been joined for a moment longer. */
      while (thread_count() != 1) {
        pause_ms(1);
      }
    }
  } else if (strcmp(arguments[1], "busy") == 0) {
    busy();
  } else if (strcmp(arguments[1], "wait") == 0) {
    /* Whoever is inside first decides; a free that came first is tried again. */
    void *was_inside = NULL;
    while (was_inside == NULL) {
      struct timespec freed;
      engine = new_engine(0, 10);
      EXPECT(pthread_create(&threads[0], NULL, stayer, NULL) == 0);
      pause_ms(100);
      EXPECT_OK(evenmatch_engine_free(engine));
      clock_gettime(CLOCK_MONOTONIC, &freed);
      EXPECT(pthread_join(threads[0], &was_inside) == 0);
      if (was_inside != NULL) {
        EXPECT((freed.tv_sec - entered.tv_sec) * 1000 + (freed.tv_nsec - entered.tv_nsec) / 1000000 >= 299);
      }
    }
  } else if (strcmp(arguments[1], "crew") == 0) {
    for (round = 0; round < 10; round++) {
      evenmatch_engine_config config = EVENMATCH_ENGINE_CONFIG_INIT;
      config.capacity = 10;
      EXPECT_OK(evenmatch_engine_new(&config, &engine));
      EXPECT(thread_count() == 1);
      EXPECT_OK(evenmatch_engine_free(engine));
      config.threads = 4;
      EXPECT_OK(evenmatch_engine_new(&config, &engine));
      EXPECT(thread_count() == 4);
      EXPECT(pthread_create(&threads[0], NULL, helper, NULL) == 0);
      if (round % 2 == 0) {
        EXPECT_OK(evenmatch_engine_close(engine, 9));
        while (thread_count() > 2) {
          pause_ms(1);
        }
      }
      pause_ms(5);
      EXPECT_OK(evenmatch_engine_free(engine));
      EXPECT(pthread_join(threads[0], NULL) == 0);
      while (thread_count() != 1) {
        pause_ms(1);
      }
    }
  } else {
    start(threads);
    pause_ms(20);
  }
  return 0;
}

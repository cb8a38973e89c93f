"""The server of moto with a quicker clock and queues that forget nothing.

Its queues ask for the time several times for each message whenever they are used, and make calendar objects of it; ten
thousand messages would take most of an hour on a busy computer. The times are the same here.

To delete a message it makes a new list of those that stay, without its own lock: what another request adds meanwhile is
gone. Here it holds the lock.
"""
import sys
import time

from moto.server import main
from moto.sqs import models

models.unix_time = time.time
models.unix_time_millis = lambda: time.time() * 1000.0

delete_unlocked = models.Queue.delete_message


def delete_message(queue, receipt_handle):
    with queue._messages_lock:
        delete_unlocked(queue, receipt_handle)


models.Queue.delete_message = delete_message

sys.exit(main())
